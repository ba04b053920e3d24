// SPDX-License-Identifier: MIT

import Foundation

extension LoopbackServer {
    /// Why nothing more is done on a connection.
    enum Ending: Error {
        /// A step says so, the client closed its side, or the server stops.
        case closed
        /// A step says so.
        case reset
        /// The request cannot be understood, for this reason.
        case refused(String)
    }

    /// One accepted connection, served on a thread of its own.
    struct Connection {
        let socket: Socket
        let number: Int
        let core: Core
        /// What was received and not used yet: the next request may be in it.
        var buffer: [UInt8] = []
        /// The request that is being answered.
        var current: Exchange?
        private var hasHalfClosed = false

        init(socket: Socket, number: Int, core: Core) {
            self.socket = socket
            self.number = number
            self.core = core
        }

        /// Answers requests until something ends the connection, then closes the socket.
        mutating func serve() {
            do throws(Ending) {
                if core.onAccept.indices.contains(number) { try run(core.onAccept[number]) }
                while try answerNextRequest() {}
                close()
            } catch {
                switch error {
                case .closed:
                    close()
                case .reset:
                    socket.abort()
                case .refused(let reason):
                    try? run(Answer.text(reason + "\n", status: 400).steps)
                    close()
                }
            }
        }

        /// Returns whether another request may follow.
        private mutating func answerNextRequest() throws(Ending) -> Bool {
            let request = try Request(head: readHead(), connection: number)
            current = Exchange(request, framing: try Framing(request))
            let answer: Answer
            if core.answersEarly(request.target) {
                answer = core.handler(request)
                if answer.readsBodyFirst { try readBody() }
                record()
            } else {
                try readBody()
                record()
                answer = core.handler(current?.request ?? request)
            }
            try run(answer.steps)
            guard answer.keepsAlive, !request.wantsClose, !hasHalfClosed else { return false }
            // A client that still waits for 100 may send the body or leave it out: it is not
            // known what the next bytes are.
            if let current, current.owesContinue, current.framing != .done { return false }
            try readBody()
            return true
        }

        mutating func run(_ steps: [Step]) throws(Ending) {
            for step in steps {
                switch step {
                case .send(let data): try send([UInt8](data))
                case .text(let text): try send(Array(text.utf8))
                case .wait(let gate): try wait(for: gate)
                case .pause(let seconds): try waitQuietly(timeout: seconds)
                case .readBody: try readBody()
                case .readBytes(let count): try readBody(limit: count)
                case .halfClose:
                    socket.endSending()
                    hasHalfClosed = true
                case .drain(let seconds): try drain(for: seconds)
                case .close: throw .closed
                case .reset: throw .reset
                case .hold:
                    while try fill() { buffer = [] }
                }
            }
        }

        // MARK: - Sending and waiting

        func stopIfAsked() throws(Ending) {
            if core.isStopping { throw .closed }
        }

        mutating func send(_ bytes: [UInt8]) throws(Ending) {
            current?.owesContinue = false
            var rest = bytes[...]
            while !rest.isEmpty {
                try stopIfAsked()
                guard let count = socket.sent(rest) else { throw .closed }
                rest = rest.dropFirst(count)
                if count > 0 { core.update { $0.sent += count } }
                if count == 0 { _ = wait(for: .writable, timeout: .infinity) }
            }
        }

        private func wait(for gate: Gate) throws(Ending) {
            let opened: Wakeup
            do { opened = try Wakeup() } catch { throw .closed }
            let token = gate.observe { opened.wake() }
            defer { gate.forget(token) }
            try waitQuietly(also: [(opened.readEnd, .readable)], timeout: .infinity)
        }

        /// Waits without reading; throws if the client closes its side meanwhile.
        private func waitQuietly(
            also events: [(descriptor: Int32, event: Socket.Event)] = [],
            timeout: TimeInterval
        ) throws(Ending) {
            let own: [(descriptor: Int32, event: Socket.Event)] = [
                (core.wakeup.readEnd, .readable), (socket.descriptor, .peerClosed),
            ]
            // The gate comes first: if it is open, it does not matter what else happened.
            let first = Socket.wait(for: events + own, timeout: timeout)
            if let first, first >= events.count { throw .closed }
        }

        private func wait(for event: Socket.Event, timeout: TimeInterval) -> Bool {
            let events = [(socket.descriptor, event), (core.wakeup.readEnd, .readable)]
            return Socket.wait(for: events, timeout: timeout) == 0
        }

        // MARK: - Receiving

        /// Receives into the buffer; false if nothing came in time, throws if nothing will.
        mutating func fill(timeout: TimeInterval = .infinity) throws(Ending) -> Bool {
            let deadline = ProcessInfo.processInfo.systemUptime + timeout
            while true {
                try stopIfAsked()
                let left = max(deadline - ProcessInfo.processInfo.systemUptime, 0)
                guard wait(for: .readable, timeout: left) else {
                    try stopIfAsked()
                    return false
                }
                switch socket.received() {
                case .bytes(let bytes):
                    buffer += bytes
                    core.update { $0.bytes += bytes.count }
                    return true
                case .nothingYet: continue
                case .end: throw .closed
                }
            }
        }

        /// Throws away what comes; the end of the input is not the end of the script.
        private mutating func drain(for seconds: TimeInterval) throws(Ending) {
            let deadline = ProcessInfo.processInfo.systemUptime + seconds
            while true {
                let count = buffer.count
                buffer = []
                updateRequest { $0.drained += count }
                let left = deadline - ProcessInfo.processInfo.systemUptime
                do {
                    guard left > 0, try fill(timeout: left) else { return }
                } catch {
                    return try stopIfAsked()
                }
            }
        }

        /// Closes with FIN.
        private func close() {
            socket.endSending()
            // The kernel sends RST in place of FIN if something received was not read. Bounded,
            // as the client may go on sending.
            for _ in 0..<64 {
                guard case .bytes(let bytes) = socket.received() else { break }
                core.update { $0.bytes += bytes.count }
            }
            socket.abandon()
        }
    }
}
