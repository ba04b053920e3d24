// SPDX-License-Identifier: MIT

#if canImport(UIKit)
import Foundation
import FoundationNetworking
import HTTPEndpoints
import Testing
import UIKit

extension UIKitTests {
    @MainActor @Suite(.timeLimit(.minutes(5)))
    struct EndpointLoadingTests {
        private let desk = Desk()
        private let stage = Stage()
        private let screen = Screen()

        init() {
            stage.push(screen)
        }

        @discardableResult
        private func load(
            _ path: String, _ indicator: (any ActivityIndicator)? = nil,
            onError: ((any Error) -> Void)? = nil
        ) -> HTTPTask {
            screen.load(
                endpoint: desk.endpoint(path), transport: desk, activityIndicator: indicator,
                onError: onError
            ) { [weak screen] in screen?.values.append($0) }
        }

        @Test func aLoadShowsThatItIsUnderWayAndGivesItsValue() async {
            load("/a")
            #expect(screen.panels.count == 1)
            desk.answer("/a", .text("one"))
            await until { screen.values == ["one"] }
            #expect(screen.panels.isEmpty)
        }

        @Test func loadsAtTheSameTimeKeepOnePanelUntilTheLast() async {
            load("/a")
            load("/b")
            load("/c")
            #expect(screen.panels.count == 1)
            desk.answer("/b", .text("b"))
            await until { screen.values == ["b"] }
            #expect(screen.panels.count == 1)
            desk.answer("/a", .fail(URLError(.cancelled)))
            desk.answer("/c", .text("c"))
            await until { screen.values == ["b", "c"] && screen.panels.isEmpty }
        }

        // MARK: Cancelling

        @Test func aLoadThatIsCancelledCallsNobodyAndTakesItsPanelAway() async {
            let task = load("/a", onError: { _ in Issue.record("called") })
            await until { desk.sent == ["/a"] }
            task.cancel()
            #expect(screen.panels.isEmpty)
            await until { desk.cancelled == ["/a"] }
            await settle()
            #expect(screen.values.isEmpty)
            #expect(screen.alert == nil)
        }

        @Test func aCancelFromAnotherThreadStopsTheIndicatorOnTheMainActor() async {
            let counter = Counter()
            let task = load("/a", counter)
            await Task.detached { task.cancel() }.value
            await until { counter.stops == 1 }
            #expect(counter.starts == 1)
        }

        @Test func aLoadEndsWithItsScreen() async {
            load("/a")
            await until { desk.sent == ["/a"] }
            stage.pop()
            await until { desk.cancelled == ["/a"] }
        }

        // As the documents of TinyHTTP write it, with a strong `self`.
        @Test func aScreenThatHasLeftIsFreedWhateverTheClosuresCapture() async {
            var screen: Screen? = Screen()
            weak let gone = screen
            do {
                let strong = screen ?? Screen()
                stage.push(strong)
                strong.load(endpoint: desk.endpoint("/a"), transport: desk) { value in
                    strong.values.append(value)
                }
                let shared = StatefulEndpoint(endpoint: desk.endpoint("/b"), transport: desk)
                strong.observe(endpoint: shared) { value in strong.values.append(value) }
            }
            screen = nil
            await until { Set(desk.sent) == ["/a", "/b"] }
            #expect(gone != nil)
            stage.pop()
            await until { gone == nil }
        }

        @Test func aScreenThatIsDismissedEndsItsLoads() async {
            let modal = Screen()
            modal.modalPresentationStyle = .fullScreen
            stage.navigation.present(modal, animated: true)
            modal.load(endpoint: desk.endpoint("/a"), transport: desk) { _ in }
            await until { desk.sent == ["/a"] }
            stage.navigation.dismiss(animated: true)
            await until { desk.cancelled == ["/a"] }
        }

        @Test func aScreenThatIsCoveredGoesOnLoading() async {
            load("/a")
            stage.push(UIViewController())
            let modal = UIViewController()
            modal.modalPresentationStyle = .fullScreen
            stage.navigation.present(modal, animated: true)
            await settle()
            desk.answer("/a", .text("a"))
            await until { screen.values == ["a"] }
        }

        @Test func aScreenThatWasNeverShownEndsItsLoadsWhenItGoes() async {
            let counter = Counter()
            var screen: Screen? = Screen()
            screen?.load(
                endpoint: desk.endpoint("/a"), transport: desk, activityIndicator: counter
            ) { [weak screen] in screen?.values.append($0) }
            await until { desk.sent == ["/a"] }
            screen = nil
            await until { desk.cancelled == ["/a"] }
            await until { counter.stops == 1 }
        }

        // Only its coming into a window and its leaving it are told, and it is in none all the while.
        @Test func aCoveredScreenThatIsTakenOffTheStackIsFreedWithTheNextState() async {
            var screen: Screen? = Screen()
            weak let gone = screen
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/b"), transport: desk)
            do {
                let strong = screen ?? Screen()
                stage.push(strong)
                strong.observe(endpoint: shared) { value in strong.values.append(value) }
            }
            screen = nil
            stage.push(UIViewController())
            await settle()
            stage.popToRoot()
            await settle()
            desk.answer("/b", .text("b"))
            await until { gone == nil }
        }

        // MARK: Replacing

        @Test func aCallMayHaveItsOwnIndicatorAndErrorHandler() async {
            let counter = Counter()
            load("/a", counter, onError: { [weak screen] in screen?.errors.append($0) })
            #expect(screen.panels.isEmpty)
            desk.answer("/a", .problem(503, "Later."))
            await until { screen.errors.count == 1 }
            #expect((screen.errors[0] as? HTTPStatusError)?.status == 503)
            #expect((counter.starts, counter.stops) == (1, 1))
            #expect(screen.alert == nil)
        }

        @Test func anObserverMayHaveItsOwnToo() async {
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
            let counter = Counter()
            screen.observe(
                endpoint: shared, activityIndicator: counter,
                onError: { [weak screen] error in
                    screen?.errors.append(error)
                    EndpointDefaults.retry?()
                }, onSuccess: { [weak screen] in screen?.values.append($0) })
            desk.answer("/a", .fail(URLError(.timedOut)))
            desk.answer("/a", .text("a"))
            await until { screen.values == ["a"] }
            #expect(screen.errors.count == 1)
            #expect((counter.starts, counter.stops) == (2, 2))
            #expect(screen.panels.isEmpty)
            #expect(screen.alert == nil)
        }

        @Test(arguments: [false, true])
        func theAppMayReplaceBothAndTryAgainInItsOwnWay(isObserving: Bool) async {
            let defaults = (
                EndpointDefaults.defaultActivityIndicator, EndpointDefaults.defaultErrorHandler
            )
            defer {
                EndpointDefaults.defaultActivityIndicator = defaults.0
                EndpointDefaults.defaultErrorHandler = defaults.1
            }
            let counter = Counter()
            EndpointDefaults.defaultActivityIndicator = { _ in counter }
            EndpointDefaults.defaultErrorHandler = { controller in
                { error in
                    (controller as? Screen)?.errors.append(error)
                    EndpointDefaults.retry?()
                }
            }
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
            if isObserving {
                screen.observe(endpoint: shared) { [weak screen] in screen?.values.append($0) }
            } else {
                load("/a")
            }
            desk.answer("/a", .fail(URLError(.timedOut)))
            desk.answer("/a", .text("a"))
            await until { screen.values == ["a"] }
            #expect(screen.errors.count == 1)
            #expect((counter.starts, counter.stops) == (2, 2))
            #expect(EndpointDefaults.retry == nil)
        }

        // MARK: Observing

        @Test func manyScreensShareOneLoad() async {
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
            let other = Screen()
            stage.push(other)
            for screen in [screen, other] {
                screen.observe(endpoint: shared) { [weak screen] in screen?.values.append($0) }
            }
            await until { screen.panels.count == 1 && other.panels.count == 1 }
            desk.answer("/a", .text("a"))
            await until { screen.values == ["a"] && other.values == ["a"] }
            #expect(desk.sent == ["/a"])
            #expect(screen.panels.isEmpty && other.panels.isEmpty)
        }

        @Test func anObserverThatTheAppTakesAwayTakesItsPanelAlong() async {
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
            let counter = Counter()
            screen.observe(endpoint: shared) { _ in }
            screen.observe(endpoint: shared, activityIndicator: counter) { _ in }
            await until { screen.panels.count == 1 && counter.starts == 1 }
            shared.removeObservers(owner: screen)
            await settle()
            #expect(screen.panels.isEmpty)
            #expect((counter.starts, counter.stops) == (1, 1))
        }

        @Test func aLoadThatIsReplacedKeepsOnePanel() async {
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
            let counter = Counter()
            screen.observe(endpoint: shared, activityIndicator: counter) { _ in }
            shared.load()
            shared.load()
            await until { counter.starts == 1 }
            shared.clear()
            await until { counter.stops == 1 }
            await settle()
            #expect((counter.starts, counter.stops) == (1, 1))
        }

        @Test func theRefreshControlStandsForThePanel() async {
            let list = List()
            list.refreshControl = UIRefreshControl()
            stage.push(list)
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
            list.observe(endpoint: shared) { [weak list] in list?.values.append($0) }
            await until { list.panels.count == 1 }
            desk.answer("/a", .text("one"))
            await until { list.values == ["one"] }
            #expect(list.panels.isEmpty)

            list.refreshControl?.beginRefreshing()
            shared.load()
            await settle()
            #expect(list.panels.isEmpty)
            #expect(list.refreshControl?.isRefreshing == true)
            desk.answer("/a", .text("two"))
            await until { list.values == ["one", "two"] }
            #expect(list.refreshControl?.isRefreshing == false)
        }

        @Test func theRefreshControlOfAViewInsideIsFoundToo() async {
            let table = UITableView()
            let control = UIRefreshControl()
            table.refreshControl = control
            screen.view.addSubview(table)
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
            control.beginRefreshing()
            screen.observe(endpoint: shared) { _ in }
            await until { desk.sent == ["/a"] }
            shared.clear()
            await until { !control.isRefreshing }
            #expect(screen.panels.isEmpty)
        }

        @Test func aScreenThatHasLeftIsToldNothingMore() async {
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
            let counter = Counter()
            screen.observe(endpoint: shared, activityIndicator: counter) {
                [weak screen] in screen?.values.append($0)
            }
            await until { counter.starts == 1 }
            stage.pop()
            await until { counter.stops == 1 }
            desk.answer("/a", .text("a"))
            await until { "\(shared.state)" == "success(String)" }
            await settle()
            #expect(screen.values.isEmpty)
        }

        // The app's own observers are its own business.
        @Test func leavingTakesOnlyItsOwnObserversAway() async {
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
            screen.observe(endpoint: shared) { [weak screen] in screen?.values.append($0) }
            shared.observe(owner: screen, observeCurrent: false) { [weak screen] in
                screen?.values.append("own \($0)")
            }
            stage.pop()
            await settle()
            desk.answer("/a", .text("a"))
            await until { screen.values.last == "own success(String)" }
            #expect(!screen.values.contains("a"))
        }

        // A controller kept alive by the shared endpoint: its default error handler held it.
        @Test func theSharedEndpointDoesNotKeepAScreenAlive() async {
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
            var screen: Screen? = Screen()
            weak let gone = screen
            screen?.observe(endpoint: shared) { [weak screen] in screen?.values.append($0) }
            await until { desk.sent == ["/a"] }
            await settle()
            screen = nil
            #expect(gone == nil)
        }

        @Test func aFailureIsToldAndCanBeTriedAgain() async {
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
            screen.observe(endpoint: shared) { [weak screen] in screen?.values.append($0) }
            desk.answer("/a", .fail(URLError(.notConnectedToInternet)))
            await until { screen.alert != nil }
            #expect(screen.alert?.message == "There is no internet connection.")
            screen.alert?.tap("Retry")
            desk.answer("/a", .text("a"))
            await until { screen.values == ["a"] }
            #expect(screen.alert == nil)
        }

        @Test func aLoadThatIsCancelledForAllIsNoAlert() async {
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
            screen.observe(endpoint: shared, onError: { _ in Issue.record("called") }) { _ in }
            if case .loading(let task) = shared.state { task.cancel() }
            await settle()
            #expect(screen.panels.isEmpty)
            #expect(screen.alert == nil)
        }
    }
}
#endif
