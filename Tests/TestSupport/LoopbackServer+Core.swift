// SPDX-License-Identifier: MIT

import Foundation

extension LoopbackServer {
    /// What the threads of a server share.
    ///
    /// It is not the server itself, so that the threads do not keep the server alive.
    final class Core: Sendable {
        struct State {
            var requests: [Request] = []
            var accepts = 0
            var open = 0
            var bytes = 0
            var sent = 0
            /// The threads that have not ended, the accepting one included.
            var threads = 0
            var isStopping = false
            var nextWaiter = 0
            var waiters: [Int: (isMet: @Sendable (State) -> Bool, gate: Gate)] = [:]
        }

        let state = Guarded(State())
        let wakeup: Wakeup
        let onAccept: [[Step]]
        let answersEarly: @Sendable (String) -> Bool
        let recordsRequests: Bool
        let handler: @Sendable (Request) -> Answer

        init(
            wakeup: Wakeup,
            onAccept: [[Step]],
            answersEarly: @escaping @Sendable (String) -> Bool,
            recordsRequests: Bool,
            handler: @escaping @Sendable (Request) -> Answer
        ) {
            self.wakeup = wakeup
            self.onAccept = onAccept
            self.answersEarly = answersEarly
            self.recordsRequests = recordsRequests
            self.handler = handler
        }

        var isStopping: Bool {
            state.withLock { $0.isStopping }
        }

        /// Changes the state and lets those through who waited for that.
        @discardableResult
        func update<Result>(_ change: (inout State) -> Result) -> Result {
            let (result, met) = state.withLock { state in
                let result = change(&state)
                let met = state.waiters.values.filter { $0.isMet(state) }.map(\.gate)
                return (result, met)
            }
            for gate in met { gate.open() }
            return result
        }

        func wait(
            timeout: TimeInterval,
            until isMet: @escaping @Sendable (State) -> Bool
        ) async -> Bool {
            let gate = Gate()
            let token = update { state in
                state.nextWaiter += 1
                state.waiters[state.nextWaiter] = (isMet, gate)
                return state.nextWaiter
            }
            let timer = Task {
                try? await Task.sleep(nanoseconds: UInt64(min(max(timeout, 0), 86_400) * 1e9))
                gate.open()
            }
            await gate.wait()
            timer.cancel()
            return state.withLock { state in
                state.waiters[token] = nil
                return isMet(state)
            }
        }

        func start(_ listener: Socket) {
            run {
                self.acceptAll(listener)
                listener.abandon()
            }
        }

        func stop() {
            state.withLock { $0.isStopping = true }
            wakeup.wake()
            _ = state.wait(timeout: 1) { $0.threads == 0 }
        }

        private func acceptAll(_ listener: Socket) {
            while true {
                _ = Socket.wait(
                    for: [(listener.descriptor, .readable), (wakeup.readEnd, .readable)],
                    timeout: .infinity
                )
                if isStopping { return }
                guard let socket = listener.accepted() else {
                    // Out of descriptors, or the client is gone already; do not spin on the first.
                    _ = Socket.wait(for: [(wakeup.readEnd, .readable)], timeout: 0.005)
                    continue
                }
                let number = update { state in
                    state.accepts += 1
                    state.open += 1
                    return state.accepts - 1
                }
                run {
                    var connection = Connection(socket: socket, number: number, core: self)
                    connection.serve()
                    self.update { $0.open -= 1 }
                }
            }
        }

        private func run(_ body: @escaping @Sendable () -> Void) {
            update { $0.threads += 1 }
            let thread = Thread {
                body()
                self.update { $0.threads -= 1 }
            }
            thread.name = "LoopbackServer"
            thread.start()
        }
    }
}
