// SPDX-License-Identifier: MIT

import Foundation
import HTTPActor
import HTTPEndpoints

/// Lists, creates, renames and deletes todos on a server of its own, in both styles.
///
/// Ends 0 when all went as expected, a 404 and an answer of the wrong shape included.
@main
struct Todos {
    static func main() async {
        do {
            let service = TodosService()
            let server = try LoopbackServer { service.answer(to: $0) }
            print("Todos on \(server.url): method, URL, status and time of each call")

            // The printing transport says it all; the log lines of the actor would say it again.
            API.logsByDefault = false
            let transport = PrintingTransport(base: .default)
            try await inEndpointStyle(TodosAPI(url: server.url), on: transport)
            try await inActorStyle(server.url, on: transport)
            print("\nAll as expected.")
        } catch {
            print("\nNot as expected: \(error)")
            exit(1)
        }
    }

    static func show(_ todos: Todo...) {
        show(todos)
    }

    static func show(_ todos: [Todo]) {
        print("         " + todos.map { "\($0.id): \($0.title)" }.joined(separator: ", "))
    }

    static func expect(_ isTrue: Bool, _ what: String) throws {
        guard isTrue else { throw Unexpected(what: "it is not true that \(what)") }
    }

    /// Makes a call that has to fail, and shows its error to a person and to a developer.
    ///
    /// - Parameters:
    ///   - status: The status that the error must have; nil for a decoding error.
    ///   - call: The call.
    /// - Throws: `Unexpected`, when it fails otherwise or not at all.
    static func expectFailure(status: Int?, _ call: () async throws -> Void) async throws {
        do {
            try await call()
        } catch let error as HTTPStatusError where error.status == status {
            return explain(error, detail: error.description)
        } catch let error as DecodingError where status == nil {
            return explain(error, detail: "\(error)")
        } catch {
            throw Unexpected(what: "another error: \(error)")
        }
        throw Unexpected(what: "no error")
    }

    private static func explain(_ error: any Error, detail: String) {
        print("         for a person:    \(userMessage(for: error))")
        print("         for a developer: \(detail)")
    }

    struct Unexpected: Error, CustomStringConvertible {
        let what: String

        var description: String { what }
    }
}
