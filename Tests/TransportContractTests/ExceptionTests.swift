// SPDX-License-Identifier: MIT

#if os(Linux)
import Foundation
import HTTPCore
import TestSupport
import Testing

/// That the table of exceptions is true.
///
/// Whatever fails safely is proved by the test of its behaviour.
@Suite(.timeLimit(.minutes(5)))
struct ExceptionTests {
    private static let deadly = Exceptions.all.filter { $0.failure == .endsTheProcess }

    /// What ends the process does so, seen from outside of it.
    @Test(arguments: deadly.map(\.behaviour))
    func whatEndsTheProcessStillDoes(_ behaviour: Behaviour) async throws {
        await inTurn {
            await #expect(processExitsWith: .failure) { [behaviour = behaviour as Behaviour] in
                let answer = try #require(ExceptionTests.answer(behaviour))
                let server = try LoopbackServer(script: [answer])
                _ = await URLSessionTransport().outcome(.get(server.url("/")))
                exit(EXIT_SUCCESS)
            }
        }
    }

    private static func answer(_ behaviour: Behaviour) -> LoopbackServer.Answer? {
        switch behaviour {
        case .cutHead: .cut("HTTP/1.1 200 OK\r\nContent-Le")
        case .trailers:
            .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-A: 1\r\n\r\n")
        default: nil
        }
    }

    @Test func everyBehaviourIsSomebodysException() {
        for behaviour in Behaviour.allCases {
            let entries = Exceptions.all.filter { $0.behaviour == behaviour }
            #expect(!entries.isEmpty, "\(behaviour)")
            #expect(Set(entries.map(\.terminal)).count == entries.count)
        }
    }
}
#endif
