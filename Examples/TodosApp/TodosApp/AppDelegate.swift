// SPDX-License-Identifier: MIT

import HTTPEndpoints
import SwiftUI
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, configurationForConnecting session: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: session.role)
        configuration.delegateClass = SceneDelegate.self
        return configuration
    }
}

/// Two tabs over one list: what is changed in the first is seen in the second.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        let list = TodosViewController(api: .shared)
        list.navigationItem.leftBarButtonItem = serverSwitch()
        let first = UINavigationController(rootViewController: list)
        first.tabBarItem = UITabBarItem(
            title: "UIKit", image: UIImage(systemName: "list.bullet"), tag: 0)
        let second = UIHostingController(rootView: TodosScreen(api: .shared))
        second.tabBarItem = UITabBarItem(
            title: "SwiftUI", image: UIImage(systemName: "swift"), tag: 1)
        let tabs = UITabBarController()
        tabs.viewControllers = [first, second]

        let window = UIWindow(windowScene: scene)
        window.rootViewController = tabs
        window.makeKeyAndVisible()
        self.window = window
    }

    /// Takes the server down and up again, to see what errors look like.
    private func serverSwitch() -> UIBarButtonItem {
        let toggle = UISwitch()
        toggle.isOn = true
        toggle.accessibilityLabel = "Server"
        let action = UIAction { action in
            guard let toggle = action.sender as? UISwitch else { return }
            let isDown = !toggle.isOn
            Task { await PretendServer.shared.setDown(isDown) }
        }
        toggle.addAction(action, for: .valueChanged)
        return UIBarButtonItem(customView: toggle)
    }
}
