// SPDX-License-Identifier: MIT

import Foundation
import HTTPCore
import TestSupport
import Testing

/// O-20: progress rises, ends at the whole before the result, and hears nothing of the answer.
// One at a time: these move much.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct UploadProgressTests {
    enum Kind: String, CaseIterable, Sendable {
        case data, file, stream, streamOfUnknownLength, inputStream
    }

    @Test(arguments: Subject.all, Kind.allCases)
    func progressRisesToTheEnd(_ subject: Subject, kind: Kind) async throws {
        let content = pattern(512 << 10)
        let piece = pattern(32 << 10)
        let server = try LoopbackServer { _ in
            LoopbackServer.Answer(
                [.text("HTTP/1.1 200 OK\r\nContent-Length: \(8 * piece.count)\r\n\r\n")]
                    + (0..<8).map { _ in .send(piece) })
        }
        let folder = try Folder()
        let pieces = [content[..<1_000], content[1_000..<300_000], content[300_000...]]
        let body: RequestBody =
            switch kind {
            case .data: .data(content)
            case .file: .file(try folder.file("a.bin", content))
            case .stream: .stream(Chunks(pieces), length: Int64(content.count))
            case .streamOfUnknownLength: .stream(Chunks(pieces))
            case .inputStream:
                .stream({ InputStream(data: content) }, length: Int64(content.count))
            }
        for reading in Reading.allCases {
            let progress = Recorder<HTTPRequest.UploadProgress>()
            let request = HTTPRequest.make(.post, server.url("/"), body) {
                $0.onUploadProgress = { progress.append($0) }
            }
            let outcome = await subject.transport().outcome(request, reading)
            // Read at once: what comes after the result is too late.
            let values = progress.values
            #expect(outcome.body?.count == 8 * piece.count)
            #expect(values.last?.bytesSent == Int64(content.count))
            #expect(values.map(\.bytesSent) == values.map(\.bytesSent).sorted())
            #expect(values.allSatisfy { (0...Int64(content.count)).contains($0.bytesSent) })
            #expect(Set(values.map(\.bytesSent)).count == values.count)
            if kind == .streamOfUnknownLength { continue }
            #expect(values.allSatisfy { $0.bytesInAll == Int64(content.count) })
            #expect(values.last?.fraction == 1)
        }
    }

    /// The result waits for a slow receiver, so that the last value is never late.
    @Test(arguments: Subject.all)
    func resultComesAfterTheLastProgress(_ subject: Subject) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let (begun, ended) = (Recorder<Int64>(), Recorder<Int64>())
        let request = HTTPRequest.make(.post, server.url("/"), .data(pattern(1_000))) {
            $0.onUploadProgress = { progress in
                begun.append(progress.bytesSent)
                Thread.sleep(forTimeInterval: 0.05)
                ended.append(progress.bytesSent)
            }
        }
        #expect(await subject.transport().outcome(request).text == "ok")
        #expect(begun.values.last == 1_000)
        #expect(ended.values == begun.values)
    }
}
