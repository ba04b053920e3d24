// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation

/// One exchange on the loop: what libcurl's callbacks do.
///
/// `@unchecked Sendable`: after `start`, every variable is touched by the loop's thread alone.
final class CurlTransfer: @unchecked Sendable {
    let id: UInt64
    let pipe: AnswerPipe
    private let request: HTTPRequest
    private let setUp: CurlRequest
    private let pool: CurlPool
    private let upload: CurlUpload?
    private let progress: UploadReporter

    private var handle: CurlHandle?
    private(set) var state = CurlTransferState(clock: TransferClock(now: 0))
    private var inflater: Inflater?
    private var pipeIsFull = false
    private var needsNewConnection = false
    /// Our own reason, when a callback makes libcurl give up.
    private var failure: (any Error)?

    /// Prepares a transfer.
    ///
    /// - Throws: ``InvalidRequest``, or `URLError` for a body that can't be opened.
    init(_ request: HTTPRequest, in pool: CurlPool) throws {
        let (url, method) = try RequestValidation.check(request)
        let loop = pool.loop
        let id = loop.nextID()
        self.id = id
        self.pool = pool
        self.request = request
        upload = try CurlUpload(request.body) { loop.post(.bodyHasBytes(id)) }
        let length = upload?.length ?? .none
        setUp = CurlRequest(request, url: url, method: method, length: length)
        progress = UploadReporter(of: request, bytesInAll: length.bytes)
        pipe = AnswerPipe(
            url: url, collecting: request.options.collect,
            onRoom: { loop.post(.pipeHasRoom(id)) }, onDrop: { loop.post(.drop(id)) })
    }

    private var loop: CurlLoop { pool.loop }

    /// Sends the request and returns its answer.
    func answer() async throws -> HTTPResponse {
        try await pipe.answer { loop.post(.start(self)) }
    }

    // MARK: On the loop's thread

    func begin(with handle: CurlHandle, now: Double) {
        state = CurlTransferState(
            clock: TransferClock(
                now: now,
                idleLimit: request.urlRequest.timeoutInterval,
                totalLimit: request.options.totalTimeout))
        self.handle = handle
        setUp.configure(handle)
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA,
            CURLOPT_SEEKDATA,
        ] {
            handle.set(option, pointer: context)
        }
        _ = duet_setopt_prerequest_callback(
            handle.easy, { context, _, _, _, port in CurlTransfer.from(context).mayUse(Int(port)) },
            context)
    }

    /// Has libcurl call the transfer that a handle is set up for.
    static func setCallbacks(of handle: CurlHandle) {
        handle.set(CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
            CurlTransfer.from(context).headLine(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        handle.set(CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
            CurlTransfer.from(context).body(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        handle.set(CURLOPT_READFUNCTION) { buffer, size, count, context in
            CurlTransfer.from(context).fill(
                UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }
        _ = duet_setopt_seek_callback(handle.easy) { context, offset, _ in
            CurlTransfer.from(context).rewind(to: Int64(offset))
        }
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
        // The pointer is the one that `begin` set, and the loop keeps the transfer while libcurl has it.
        unsafeBitCast(context, to: CurlTransfer.self)
    }

    /// libcurl asks for this before a request goes over a connection: 0 lets it, 1 does not.
    private func mayUse(_ localPort: Int) -> Int32 {
        needsNewConnection = !loop.idleSockets.mayBeUsed(localPort)
        return needsNewConnection ? 1 : 0
    }

    /// Prepares to start over, when libcurl chose a connection that can't be used: nothing was sent.
    func startsOver() -> CurlHandle? {
        guard exchange(&needsNewConnection, false) else { return nil }
        handle?.set(CURLOPT_FRESH_CONNECT, 1)
        return handle
    }

    private func headLine(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch state.headLine(bytes, now: loop.now) {
        case .nothing:
            return bytes.count
        case .tooLong:
            failure = URLError(
                .dataLengthExceedsMaximum,
                saying: "The head of the answer is longer than \(CurlHead.limit) bytes.",
                requestMayHaveArrived: true)
            return 0
        case .badLength:
            failure = URLError(
                .badServerResponse, saying: "The answer's Content-Length is no number.",
                requestMayHaveArrived: true)
            return 0
        case .head:
            inflater = Inflater(contentEncoding: state.head.fields["Content-Encoding"])
            pipe.head(state.head.status, state.head.fields)
            return bytes.count
        }
    }

    private func body(_ bytes: UnsafeRawBufferPointer) -> Int {
        if pipeIsFull {
            state.clock.pause(.receiving)
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        state.bodyBytes(bytes.count, now: loop.now)
        let outcome = inflater?.inflate(bytes, take) ?? (take(bytes) ? .ok : .stopped)
        if outcome == .broken { failure = Self.brokenCoding }
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
        switch upload.read(into: buffer) {
        case .bytes(let count):
            state.clock.move(now: loop.now)
            progress.report(upload.sent)
            return count
        case .wait:
            state.clock.pause(.sending)
            return Int(CURL_READFUNC_PAUSE)
        case .failed(let error):
            failure = error
            return Int(CURL_READFUNC_ABORT)
        }
    }

    /// libcurl asks for this when a reused connection drops: refused where the server may have acted.
    private func rewind(to offset: Int64) -> Int32 {
        guard setUp.method.isIdempotent, offset == 0, let upload else { return CURL_SEEKFUNC_FAIL }
        upload.rewind()
        return CURL_SEEKFUNC_OK
    }

    func pipeHasRoom(now: Double) {
        pipeIsFull = false
        guard state.clock.isPaused(.receiving) else { return }
        state.clock.resume(.receiving, now: now)
        unpause()
    }

    func bodyHasBytes(now: Double) {
        guard state.clock.isPaused(.sending) else { return }
        state.clock.resume(.sending, now: now)
        unpause()
    }

    /// Lets move what is not paused.
    ///
    /// libcurl may call back from here.
    private func unpause() {
        guard let handle else { return }
        let paused =
            (state.clock.isPaused(.receiving) ? CURLPAUSE_RECV : 0)
            | (state.clock.isPaused(.sending) ? CURLPAUSE_SEND : 0)
        curl_easy_pause(handle.easy, paused)
    }

    /// Ends the transfer with libcurl's result.
    func finish(_ result: CURLcode) {
        guard let handle else { return }
        if !setUp.isSecure, let (socket, port) = handle.socket {
            loop.idleSockets.add(socket, localPort: port)
        }
        if let failure {
            end(.failure(failure))
        } else if result != CURLE_OK {
            end(.failure(CurlError.urlError(result, circumstances)))
        } else if state.complete() == .cutHead {
            end(.failure(CurlError.urlError(CURLE_GOT_NOTHING, circumstances)))
        } else if let inflater, state.received > 0, !inflater.isFinished {
            end(.failure(Self.brokenCoding))
        } else {
            end(.success(metrics))
        }
    }

    /// Ends the answer, after the last report of progress.
    func end(_ result: Result<HTTPMetrics, any Error>) {
        state.end()
        // A server may answer before it has taken the body (RFC 9112, section 9.5).
        let isWhole = setUp.length.bytes.map { $0 == upload?.sent ?? 0 } ?? true
        progress.finish(isWhole: isWhole && (try? result.get()) != nil) { [pipe] in pipe.end(result)
        }
    }

    /// The time is up.
    func expire() {
        end(
            .failure(
                URLError(
                    .timedOut, saying: "\(setUp.url.host ?? "The server") did not answer in time.",
                    requestMayHaveArrived: requestMayHaveArrived)))
    }

    /// Gives the handle back.
    ///
    /// The body's file is closed with the transfer.
    func release() -> CurlHandle? {
        exchange(&handle, nil)
    }

    private static let brokenCoding = URLError(
        .cannotDecodeContentData, saying: "The answer's content coding is cut or broken.",
        requestMayHaveArrived: true)

    private var requestMayHaveArrived: Bool {
        (handle?.number(CURLINFO_REQUEST_SIZE) ?? 0) > 0
    }

    private var circumstances: CurlError.Circumstances {
        CurlError.Circumstances(
            host: setUp.url.host ?? "",
            received: state.received,
            expected: state.head.fields["Content-Length"].flatMap { Int64($0) },
            detail: handle?.detail ?? "",
            requestMayHaveArrived: requestMayHaveArrived)
    }

    private var metrics: HTTPMetrics {
        var metrics = HTTPMetrics()
        guard let handle else { return metrics }
        switch handle.number(CURLINFO_HTTP_VERSION) {
        case CURL_HTTP_VERSION_1_0: metrics.httpVersion = "HTTP/1.0"
        case CURL_HTTP_VERSION_1_1: metrics.httpVersion = "HTTP/1.1"
        case CURL_HTTP_VERSION_2_0: metrics.httpVersion = "HTTP/2"
        default: break
        }
        metrics.reusedConnection = handle.number(CURLINFO_NUM_CONNECTS) == 0
        metrics.nameLookup = handle.seconds(CURLINFO_NAMELOOKUP_TIME_T)
        metrics.connect = handle.seconds(CURLINFO_CONNECT_TIME_T)
        metrics.secureConnect = handle.seconds(CURLINFO_APPCONNECT_TIME_T)
        metrics.firstByte = handle.seconds(CURLINFO_STARTTRANSFER_TIME_T)
        metrics.total = handle.seconds(CURLINFO_TOTAL_TIME_T) ?? 0
        metrics.bodyBytesSent = upload?.sent ?? 0
        metrics.bodyBytesReceived = state.received
        return metrics
    }
}
#endif
