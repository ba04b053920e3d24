// SPDX-License-Identifier: MIT

// Tells a person and a log what went wrong.

import Foundation
import HTTPActor

struct Todo: Decodable {
    let title: String
}

func show(_ text: String) { print(text) }
func log(_ text: String) { print(text) }

do {
    let todo: Todo = try await API.shared.request(url: "https://host/todos/7", method: .get)
    show(todo.title)
} catch let error as HTTPStatusError where error.status == 404 {
    show("There is no such todo.")
} catch is CancellationError {
    // Whoever cancelled does not wait for an answer.
} catch {
    show(userMessage(for: error))
    log("\(error)")
}

// An `NSError` has the status, a sentence for a person, and the body. Never write that clause last.
do {
    try await API.shared.request(url: "https://host/todos/7", method: .delete)
} catch let error as NSError where error.domain == HTTPStatusError.errorDomain {
    show(error.localizedDescription)
    log("\(error.code): \(error.localizedFailureReason ?? "no body")")
} catch {
    show(userMessage(for: error))
}

// Sending again is safe where nothing can have arrived.
do {
    try await API.shared.request(url: "https://host/orders", method: .post)
} catch let error as URLError where !error.requestMayHaveArrived {
    show("\(userMessage(for: error)) Nothing was ordered; try again.")
} catch {
    show(userMessage(for: error))
}

// Or have the call repeated, where that can't act twice: here four times in all, at most.
await API.shared.setPersistConnectionDelay(0.2)
API.maxPersistRetries = 3
try await API.shared.request(
    url: "https://host/orders/7",
    method: .delete,
    persistConnection: true
)
