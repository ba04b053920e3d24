// SPDX-License-Identifier: MIT

#if canImport(UIKit)
import Foundation
import FoundationNetworking
import HTTPEndpoints
import Testing
import UIKit

/// What changes the app's defaults, and what the one alert is about, runs one test at a time.
@Suite(.serialized) enum UIKitTests {}

extension UIKitTests {
    @MainActor @Suite(.timeLimit(.minutes(5)))
    struct ErrorAlertTests {
        private let desk = Desk()
        private let stage = Stage()
        private let screen = Screen()

        init() {
            stage.push(screen)
        }

        private func load(_ path: String, on other: Screen? = nil) {
            let screen = other ?? screen
            screen.load(endpoint: desk.endpoint(path), transport: desk) {
                [weak screen] in screen?.values.append($0)
            }
        }

        @Test func theAlertHasATitleAndTheServersMessageAndRetryWorks() async throws {
            load("/a")
            desk.answer("/a", .problem(409, "It is being edited."))
            await until { screen.alert != nil }
            let alert = try #require(screen.alert)
            #expect(alert.title == "Request Failed")
            #expect(alert.message?.contains("It is being edited.") == true)
            #expect(alert.preferredStyle == .alert)
            #expect(alert.actions.map(\.title) == ["Cancel", "Retry"])
            #expect(alert.actions[0].style == .cancel)
            #expect(alert.preferredAction === alert.actions[1])
            alert.tap("Retry")
            desk.answer("/a", .problem(409, "Still."))
            await until { screen.alert != nil && screen.alert !== alert }
            screen.alert?.tap("Retry")
            desk.answer("/a", .text("a"))
            await until { screen.values == ["a"] }
            #expect(desk.sent == ["/a", "/a", "/a"])
            #expect(screen.alert == nil)
        }

        private struct Nameless: Error {}

        // Foundation says "The operation couldn't be completed" of these.
        @Test(arguments: [
            Nameless() as any Error, URLError(.timedOut), URLError(.dataNotAllowed),
            NSError(domain: "app", code: 7),
            DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "at id")),
        ])
        func theAlertHasAPlainSentenceForAnyError(error: any Error) async throws {
            load("/a")
            desk.answer("/a", .fail(error))
            await until { screen.alert != nil }
            let message = try #require(screen.alert?.message)
            #expect(message.hasSuffix("."))
            #expect(!message.contains("operation"))
            #expect(!message.contains("at id"))
        }

        @Test func cancelDoesNotTryAgain() async {
            load("/a")
            desk.answer("/a", .problem(500, "No."))
            await until { screen.alert != nil }
            screen.alert?.tap("Cancel")
            await settle()
            #expect(desk.sent == ["/a"])
            #expect(screen.alert == nil)
        }

        @Test(arguments: [CancellationError() as any Error, URLError(.cancelled)])
        func aCancellationIsNoAlert(error: any Error) async {
            load("/a")
            desk.answer("/a", .fail(error))
            await until { screen.panels.isEmpty }
            await settle()
            #expect(screen.alert == nil)
        }

        @Test func oneAlertStandsForAllAndItsRetryTriesAllAgain() async throws {
            load("/a")
            load("/b")
            desk.answer("/a", .problem(500, "A."))
            await until { screen.alert != nil }
            let alert = try #require(screen.alert)
            desk.answer("/b", .problem(500, "B."))
            await until { screen.panels.isEmpty }
            await settle()
            #expect(screen.alert === alert)
            #expect(alert.presentedViewController == nil)
            #expect(screen.refused == 0 && alert.refused == 0)
            alert.tap("Retry")
            desk.answer("/a", .text("a"))
            desk.answer("/b", .text("b"))
            await until { Set(screen.values) == ["a", "b"] }
        }

        @Test func aRetryOfWhatScreensShareIsOneRequest() async {
            let shared = StatefulEndpoint(endpoint: desk.endpoint("/a"), transport: desk)
            let child = Screen()
            screen.addChild(child)
            screen.view.addSubview(child.view)
            for screen in [screen, child] {
                screen.observe(endpoint: shared) { [weak screen] in screen?.values.append($0) }
            }
            desk.answer("/a", .problem(500, "No."))
            await until { screen.alert != nil }
            await settle()
            var loads = 0
            shared.observe(owner: screen, observeCurrent: false) { state in
                if case .loading = state { loads += 1 }
            }
            screen.alert?.tap("Retry")
            desk.answer("/a", .text("a"))
            await until { screen.values == ["a"] && child.values == ["a"] }
            await settle()
            #expect(loads == 1)
        }

        @Test func theAlertOfAnotherWindowRetriesItsOwn() async throws {
            let (otherStage, other) = (Stage(), Screen())
            otherStage.push(other)
            load("/a")
            desk.answer("/a", .problem(500, "A."))
            await until { screen.alert != nil }
            load("/b", on: other)
            desk.answer("/b", .problem(500, "B."))
            await until { other.alert != nil }
            try #require(screen.alert).tap("Retry")
            desk.answer("/a", .text("a"))
            desk.answer("/b", .text("b"))
            await until { !screen.values.isEmpty || !other.values.isEmpty }
            #expect(screen.values == ["a"])
            #expect(other.values.isEmpty)
            try #require(other.alert).tap("Retry")
            await until { other.values == ["b"] }
        }

        @Test func anAlertThatGoesWithoutATapKeepsNoScreen() async {
            var modal: Screen? = Screen()
            weak let gone = modal
            do {
                let strong = modal ?? Screen()
                stage.navigation.present(strong, animated: true)
                strong.load(endpoint: desk.endpoint("/a"), transport: desk) { value in
                    strong.values.append(value)
                }
            }
            desk.answer("/a", .problem(500, "No."))
            await until { gone?.alert != nil }
            modal = nil
            gone?.dismiss(animated: true)
            stage.navigation.dismiss(animated: true)
            await settle()
            #expect(gone == nil)
        }

        @Test func noAlertComesOnTopOfOneOfTheApps() async {
            let own = UIAlertController(title: "Todo", message: nil, preferredStyle: .alert)
            own.addAction(UIAlertAction(title: "OK", style: .default))
            screen.present(own, animated: true)
            load("/a")
            desk.answer("/a", .problem(500, "No."))
            await until { screen.panels.isEmpty }
            await settle()
            #expect(own.presentedViewController == nil)
            #expect(screen.refused == 0)
        }

        @Test func theAlertComesOnTopOfAnotherScreen() async {
            let sheet = UIViewController()
            screen.present(sheet, animated: true)
            load("/a")
            desk.answer("/a", .problem(500, "No."))
            await until { sheet.presentedViewController is UIAlertController }
        }

        @Test func theAlertWaitsForAScreenThatIsJustBeingDismissed() async {
            let sheet = UIViewController()
            screen.present(sheet, animated: true)
            let end = screen.beginDismissing(sheet)
            load("/a")
            desk.answer("/a", .problem(500, "No."))
            await until { screen.panels.isEmpty }
            await settle()
            #expect(screen.alert == nil)
            end()
            await until { screen.alert != nil }
            #expect(screen.refused == 0)
        }

        @Test func theAlertWaitsForItsScreen() async {
            let next = Screen()
            load("/a", on: next)
            desk.answer("/a", .problem(500, "No."))
            await until { next.panels.isEmpty }
            await settle()
            #expect(next.alert == nil)
            stage.push(next)
            await until { next.alert != nil }
        }

        @Test func aScreenBehindAnotherIsNoPlaceForAnAlert() async {
            load("/a")
            stage.push(UIViewController())
            desk.answer("/a", .problem(500, "No."))
            await until { screen.panels.isEmpty }
            await settle()
            #expect(stage.navigation.presentedViewController == nil)
            #expect(screen.refused == 0)
        }

        @Test func anErrorThatNobodyCanTryAgainHasOneButton() async {
            EndpointDefaults.defaultErrorHandler(screen)(URLError(.timedOut))
            #expect(screen.alert?.actions.map(\.title) == ["OK"])
            #expect(screen.alert?.message == "The server did not answer in time.")
            screen.alert?.tap("OK")
            #expect(screen.alert == nil)
        }
    }
}
#endif
