// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// One exchange on the loop: what libcurl's callbacks do.
///
/// `@unchecked Sendable`: once `answer` has posted it, every variable is touched by the loop's thread
/// alone.
final class CurlTransfer: @unchecked Sendable {
    let id: UInt64
    let pipe: AnswerPipe
    private let request: HTTPRequest
    private let setUp: CurlRequest
    private let pool: CurlPool
    private let progress: UploadReporter

    private var handle: CurlHandle?
    private var upload: CurlUpload?
    private(set) var clock = TransferClock(now: 0)
    private var head = CurlHead()
    /// Body bytes as they came, the content coding not undone.
    private var received: Int64 = 0
    private var inflater: Inflater?
    private var pipeIsFull = false
    private var needsNewConnection = false
    private var localPort: Int32 = 0
    private var codingIsBroken = false
    /// Our own reason, when a callback makes libcurl give up.
    private var failure: (any Error)?

    /// Prepares a transfer.
    ///
    /// - Throws: ``InvalidRequest``, or `URLError` for a body that can't be opened.
    init(_ request: HTTPRequest, in pool: CurlPool) throws {
        let (url, method) = try RequestValidation.check(request)
        let loop = pool.loop
        let id = duet_next_id()
        self.id = id
        self.pool = pool
        self.request = request
        upload = try CurlUpload(request.body) { loop.post(.resume(id, .sending)) }
        setUp = CurlRequest(request, url: url, method: method, upload: upload)
        progress = UploadReporter(of: request, bytesInAll: setUp.length)
        pipe = AnswerPipe(
            url: url, options: request.options,
            onRoom: { loop.post(.resume(id, .receiving)) }, onDrop: { loop.post(.drop(id)) })
    }

    private var loop: CurlLoop { pool.loop }

    /// Sends the request and returns its answer.
    func answer() async throws -> HTTPResponse {
        try await pipe.answer { loop.post(.start(self)) }
    }

    // MARK: On the loop's thread

    func begin(with handle: CurlHandle, now: Double) {
        clock = TransferClock(
            now: now, idleLimit: request.urlRequest.timeoutInterval,
            totalLimit: request.options.totalTimeout, deadline: request.options.deadline)
        self.handle = handle
        handle.transfer = self
        setUp.configure(handle)
    }

    /// libcurl's own arguments: bytes, the size of an item (1 where it gives bytes), items, context.
    static let callbacks = duet_callbacks(
        header: { CurlHandle.transfer($3)?.headLine(.init(start: $0, count: $2)) ?? 0 },
        body: { CurlHandle.transfer($3)?.body(.init(start: $0, count: $2)) ?? 0 },
        read: { CurlHandle.transfer($3)?.fill(.init(start: $0, count: $1 * $2)) ?? 0 },
        seek: { CurlHandle.transfer($0)?.rewind(to: $1, from: $2) ?? CURL_SEEKFUNC_FAIL },
        connection: { context, _, _, _, port in CurlHandle.transfer(context)?.mayUse(port) ?? 0 })

    /// libcurl asks for this before a request goes over a connection: 0 lets it, 1 does not.
    private func mayUse(_ localPort: Int32) -> Int32 {
        // It would repeat the request, since the connection that it went over dropped.
        if self.localPort > 0, !setUp.method.isIdempotent { return 1 }
        // The second time it is a connection of its own: more would be no better.
        let mayBeUsed = loop.sockets.mayBeUsed(localPort, by: handle, isSecure: setUp.isSecure)
        needsNewConnection = self.localPort == 0 && !mayBeUsed
        self.localPort = localPort
        return needsNewConnection ? 1 : 0
    }

    /// Prepares to start over, when libcurl chose a connection that can't be used: nothing was sent.
    func startsOver() -> CurlHandle? {
        guard exchange(&needsNewConnection, false) else { return nil }
        localPort = -1
        handle?.set(CURLOPT_FRESH_CONNECT, 1)
        return handle
    }

    private func headLine(_ bytes: UnsafeRawBufferPointer) -> Int {
        clock.move(now: loop.now)
        // Bytes of a type have a quicker way into a String than raw ones.
        switch head.line(bytes.assumingMemoryBound(to: UInt8.self)) {
        case .nothing: break
        case .head:
            inflater = Inflater(contentEncoding: head.fields["Content-Encoding"])
            if setUp.isSecure, head.isHTTP1 { loop.sockets.carriesHTTP1(localPort) }
            pipe.head(head.status, head.fields)
        case .refused(let reason):
            failure = URLError(.badServerResponse, saying: reason)
            return 0
        }
        return bytes.count
    }

    private func body(_ bytes: UnsafeRawBufferPointer) -> Int {
        if pipeIsFull {
            clock.pause(.receiving)
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        clock.move(now: loop.now)
        received += Int64(bytes.count)
        if loop.fed.last !== pipe { loop.fed.append(pipe) }
        let outcome = inflater?.inflate(bytes, take) ?? (take(bytes) ? .ok : .stopped)
        codingIsBroken = outcome == .broken
        return outcome == .ok ? bytes.count : 0
    }

    /// Takes plain bytes; false when they are more than was asked for.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do {
            pipeIsFull = try pipe.write(bytes)
            return true
        } catch {
            failure = error
            return false
        }
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let upload else { return 0 }
        do {
            guard let count = try upload.read(into: buffer) else {
                clock.pause(.sending)
                return Int(CURL_READFUNC_PAUSE)
            }
            clock.move(now: loop.now)
            progress.report(upload.sent)
            return count
        } catch {
            failure = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    /// libcurl asks for this when a reused connection drops: refused where the server may have acted.
    private func rewind(to offset: curl_off_t, from origin: Int32) -> Int32 {
        let isAtStart = offset == 0 && origin == SEEK_SET
        guard setUp.method.isIdempotent, isAtStart else { return CURL_SEEKFUNC_FAIL }
        let new = try? CurlUpload(request.body) { [loop, id] in loop.post(.resume(id, .sending)) }
        clock.resume(.sending, now: loop.now)
        upload = new ?? upload
        return new == nil ? CURL_SEEKFUNC_FAIL : CURL_SEEKFUNC_OK
    }

    /// Counts what moved in a long turn from its end.
    func catchUp(from start: Double, to end: Double) {
        if clock.lastMove == start { clock.move(now: end) }
    }

    /// Goes on after the reader has made room, or the request's body has bytes again.
    ///
    /// - Returns: Whether it does.
    func resume(_ direction: TransferClock.Direction, now: Double) -> CURLcode {
        if direction == .receiving { pipeIsFull = false }
        guard let handle, clock.paused.contains(direction) else { return CURLE_OK }
        clock.resume(direction, now: now)
        // What stays paused is named. libcurl may call back from here.
        let paused =
            (clock.paused.contains(.receiving) ? CURLPAUSE_RECV : 0)
            | (clock.paused.contains(.sending) ? CURLPAUSE_SEND : 0)
        return curl_easy_pause(handle.easy, paused)
    }

    /// What libcurl's result means for the caller.
    func outcome(_ result: CURLcode) -> Result<HTTPMetrics, any Error> {
        guard let handle else { return .failure(CancellationError()) }
        let info = duet_getinfo(handle.easy)
        // libcurl takes a head that is cut for a whole answer, and knows nothing of codings.
        var result = result == CURLE_OK && !head.isComplete ? CURLE_GOT_NOTHING : result
        let isCut = result == CURLE_OK && received > 0 && inflater?.isFinished == false
        if isCut || codingIsBroken { result = CURLE_BAD_CONTENT_ENCODING }
        if failure == nil, result == CURLE_OK { return .success(metrics(info)) }
        let facts = CurlError.Circumstances(
            host: host, received: received, expected: head.fields["Content-Length"],
            detail: handle.detail)
        let error = failure ?? CurlError.urlError(result, facts)
        let mayHaveArrived = info.request_bytes > 0 ? error as? URLError : nil
        return .failure(mayHaveArrived?.whereRequestMayHaveArrived() ?? error)
    }

    /// Ends the answer, after the last report of progress.
    func end(_ result: Result<HTTPMetrics, any Error>) {
        // A server may answer before it has taken the body (RFC 9112, section 9.5).
        let sentAll = setUp.length.map { $0 == upload?.sent ?? 0 } ?? true
        let isWhole = sentAll && (try? result.get()) != nil
        progress.finish(isWhole: isWhole) { [pipe] in pipe.end(result) }
    }

    /// The time is up.
    func expire() {
        failure = URLError(.timedOut, saying: "\(host) did not answer in time.")
    }

    /// Gives the handle back.
    ///
    /// The body's file is closed with the transfer.
    func release() -> CurlHandle? {
        handle?.transfer = nil
        return exchange(&handle, nil)
    }

    private var host: String { setUp.url.host ?? "The server" }

    private static let versions = [
        CURL_HTTP_VERSION_1_0: "HTTP/1.0", CURL_HTTP_VERSION_1_1: "HTTP/1.1",
        CURL_HTTP_VERSION_2_0: "HTTP/2",
    ]

    private func metrics(_ info: duet_info) -> HTTPMetrics {
        func seconds(_ microseconds: curl_off_t) -> TimeInterval? {
            microseconds > 0 ? TimeInterval(microseconds) / 1_000_000 : nil
        }
        var metrics = HTTPMetrics()
        metrics.httpVersion = Self.versions[info.http_version]
        metrics.reusedConnection = info.new_connections == 0
        metrics.nameLookup = seconds(metrics.reusedConnection ? 0 : info.name_lookup)
        metrics.connect = seconds(info.connect)
        metrics.secureConnect = seconds(info.secure_connect)
        metrics.firstByte = seconds(info.first_byte)
        metrics.total = seconds(info.total) ?? 0
        metrics.bodyBytesSent = upload?.sent ?? 0
        metrics.bodyBytesReceived = received
        return metrics
    }
}
#endif
