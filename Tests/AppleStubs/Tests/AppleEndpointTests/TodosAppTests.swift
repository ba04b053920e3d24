// SPDX-License-Identifier: MIT

#if canImport(UIKit)
import Foundation
import HTTPEndpoints
import Observation
import Testing
import UIKit

@testable import TodosApp

extension UIKitTests {
    /// Examples/TodosApp, as far as the stubs can show it.
    @MainActor @Suite(.timeLimit(.minutes(5)))
    struct TodosAppTests {
        private let server = PretendServer(delay: .zero)
        private let api: TodosAPI
        private let stage = Stage()
        private let screen: TodosViewController

        init() async {
            api = TodosAPI(transport: server)
            screen = TodosViewController(api: api)
            stage.push(screen)
            screen.viewWillAppear(true)
            await until { [screen] in screen.tableView.shown == ["Buy milk", "Call Ada"] }
        }

        private var shown: [String] { screen.tableView.shown }

        private var alert: UIAlertController? {
            screen.presentedViewController as? UIAlertController
        }

        /// Writes a title into the alert and saves it.
        private func save(_ title: String) {
            alert?.textFields?.first?.text = title
            alert?.tap("Save")
        }

        @Test func plusAddsATodo() async {
            screen.navigationItem.rightBarButtonItem?.tap()
            #expect(alert?.title == "New Todo")
            save("Water plants")
            await until { shown == ["Buy milk", "Call Ada", "Water plants"] }
        }

        @Test func aTapEditsATodo() async {
            screen.tableView.tap(1)
            #expect(alert?.textFields?.first?.text == "Call Ada")
            save("Write to Ada")
            await until { shown == ["Buy milk", "Write to Ada"] }
        }

        @Test func pullingLoadsAgain() async throws {
            _ = try await api.add("From elsewhere").load(on: server)
            screen.refreshControl?.pull()
            await until { shown.count == 3 }
            #expect(screen.refreshControl?.isRefreshing == false)
        }

        @Test func aSwipeDeletesAtOnce() async throws {
            screen.tableView.swipe(0)
            #expect(api.all.snapshot.value?.map(\.title) == ["Call Ada"])
            await until { shown == ["Call Ada"] }
            await until { screen.view.subviews.allSatisfy { !($0 is UIVisualEffectView) } }
            #expect(try await api.all.endpoint.load(on: server).map(\.title) == ["Call Ada"])
        }

        @Test func whatTheServerDoesNotDeleteComesBackAndCanBeTriedAgain() async {
            await server.setDown(true)
            screen.tableView.swipe(0)
            await until { alert != nil }
            await until { shown == ["Buy milk", "Call Ada"] }
            #expect(alert?.message?.contains("Try again in a minute.") == true)
            await server.setDown(false)
            alert?.tap("Retry")
            await until { shown == ["Call Ada"] }
        }

        @Test func anErrorLeavesTheListInPlaceAndCanBeTriedAgain() async throws {
            _ = try await api.add("From elsewhere").load(on: server)
            await server.setDown(true)
            screen.refreshControl?.pull()
            await until { alert != nil }
            #expect(shown == ["Buy milk", "Call Ada"])
            #expect(screen.refreshControl?.isRefreshing == false)
            await server.setDown(false)
            alert?.tap("Retry")
            await until { shown.count == 3 }
        }

        @Test func theServersOwnWordsAreShown() async {
            screen.navigationItem.rightBarButtonItem?.tap()
            save("")
            await until { alert != nil }
            #expect(alert?.message?.contains("A todo needs a title.") == true)
        }

        @Test func theSwiftUIScreenIsDrawnAgainWithEachChange() async {
            let isAsked = Locked(false)
            let view = TodosScreen(api: api)
            withObservationTracking {
                _ = view.body
            } onChange: {
                isAsked.withLock { $0 = true }
            }
            #expect(!isAsked.withLock { $0 })
            await api.all.reload()
            #expect(isAsked.withLock { $0 })
        }
    }
}
#endif
