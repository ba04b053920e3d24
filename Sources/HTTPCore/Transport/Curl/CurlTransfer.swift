// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl
internal import Foundation
internal import FoundationNetworking

/// One exchange on the loop: what libcurl's callbacks do, and who waits for the answer.
///
/// `@unchecked Sendable`: `waiting` has a lock of its own; every other variable is touched by the
/// loop's thread alone, after `start` has handed the transfer over.
final class CurlTransfer: @unchecked Sendable {
    private typealias Waiter = CheckedContinuation<HTTPResponse, any Error>

    /// Who waits for `send`, so that exactly one result reaches it.
    private enum Waiting {
        case notYet
        case waiter(Waiter)
        case over
    }

    let id: UInt64
    let setUp: CurlRequest
    private let loop: CurlLoop
    private let upload: CurlUpload?
    /// Where the body goes unless it is collected.
    private let pipe: BodyPipe?
    private let progress: UploadReporter?
    private let waiting = Locked(Waiting.notYet)

    private var handle: CurlHandle?
    private(set) var state = CurlTransferState(clock: TransferClock(now: 0))
    private var inflater: Inflater?
    private var collected = Data()
    private var pipeIsFull = false
    private var needsNewConnection = false
    /// Our own reason, when a callback makes libcurl give up.
    private var failure: (any Error)?

    /// Prepares a transfer.
    ///
    /// - Throws: ``InvalidRequest``, or `URLError` for a body that can't be opened.
    init(_ request: HTTPRequest, on loop: CurlLoop) throws {
        let (url, method) = try RequestValidation.check(request)
        let id = loop.nextID()
        self.id = id
        self.loop = loop
        upload = try CurlUpload(request.body) { loop.post(.bodyHasBytes(id)) }
        setUp = CurlRequest(
            url: url, method: method, request: request, length: upload?.length ?? .none)
        let bytesInAll = setUp.length.bytes
        progress = request.onUploadProgress.map { UploadReporter(bytesInAll: bytesInAll, $0) }
        pipe =
            request.options.collect == nil
            ? BodyPipe(onRoom: { loop.post(.pipeHasRoom(id)) }, onCancel: { loop.post(.drop(id)) })
            : nil
    }

    // MARK: From anywhere

    func start(_ waiter: CheckedContinuation<HTTPResponse, any Error>) {
        let isOver = waiting.withLock { waiting in
            if case .over = waiting { return true }
            waiting = .waiter(waiter)
            return false
        }
        if isOver {
            waiter.resume(throwing: CancellationError())
        } else {
            loop.post(.start(self))
        }
    }

    func cancel() {
        if deliver(.failure(CancellationError())) { loop.post(.drop(id)) }
    }

    /// Gives the waiter its result, unless it has one.
    @discardableResult
    private func deliver(_ result: Result<HTTPResponse, any Error>) -> Bool {
        switch waiting.withLock({ exchange(&$0, .over) }) {
        case .notYet:
            return true
        case .waiter(let waiter):
            if let progress {
                progress.afterAll { waiter.resume(with: result) }
            } else {
                waiter.resume(with: result)
            }
            return true
        case .over:
            return false
        }
    }

    /// Whether `send` has its result already: dropped before the loop got to it.
    var isOver: Bool {
        waiting.withLock { if case .over = $0 { true } else { false } }
    }

    // MARK: On the loop's thread

    func begin(with handle: CurlHandle, now: Double) {
        let request = setUp.request
        state = CurlTransferState(
            clock: TransferClock(
                now: now,
                idleLimit: request.urlRequest.timeoutInterval,
                totalLimit: request.options.totalTimeout))
        self.handle = handle
        setUp.configure(handle)
        let context = Unmanaged.passUnretained(self).toOpaque()
        handle.set(CURLOPT_PRIVATE, pointer: context)
        handle.set(CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
            CurlTransfer.from(context).headLine(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        handle.set(CURLOPT_HEADERDATA, pointer: context)
        handle.set(CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
            CurlTransfer.from(context).body(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        handle.set(CURLOPT_WRITEDATA, pointer: context)
        _ = duet_setopt_prerequest_callback(
            handle.easy, { context, _, _, _, port in CurlTransfer.from(context).mayUse(Int(port)) },
            context)
        guard upload != nil else { return }
        handle.set(CURLOPT_READFUNCTION) { buffer, size, count, context in
            CurlTransfer.from(context).fill(
                UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }
        handle.set(CURLOPT_READDATA, pointer: context)
        _ = duet_setopt_seek_callback(handle.easy) { context, offset, _ in
            CurlTransfer.from(context).rewind(to: Int64(offset))
        }
        handle.set(CURLOPT_SEEKDATA, pointer: context)
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
            if let pipe { deliver(.success(response(ResponseBody(pipe)))) }
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
        if let pipe {
            pipeIsFull = pipe.write(bytes)
            return true
        }
        let limit = setUp.request.options.collect ?? .max
        guard bytes.count <= limit - collected.count else {
            failure = ResponseBodyError(
                .tooLarge(limit: limit), status: state.head.status, url: setUp.url)
            return false
        }
        collected.append(contentsOf: bytes)
        return true
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let upload else { return 0 }
        switch upload.read(into: buffer) {
        case .bytes(let count):
            state.clock.move(now: loop.now)
            progress?.report(upload.sent)
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

    /// Lets move what is not paused. libcurl may call back from here.
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
        if setUp.url.scheme?.lowercased() == "http" {
            handle.closeIfBytesAreLeft()
            if let (socket, port) = handle.socket { loop.idleSockets.add(socket, localPort: port) }
        }
        if let failure {
            fail(failure)
        } else if result != CURLE_OK {
            fail(CurlError.urlError(result, circumstances))
        } else if state.complete() == .cutHead {
            fail(CurlError.urlError(CURLE_GOT_NOTHING, circumstances))
        } else if let inflater, state.received > 0, !inflater.isFinished {
            fail(Self.brokenCoding)
        } else {
            let metrics = metrics
            // A server may answer before it has taken the body (RFC 9112, section 9.5).
            if setUp.length.bytes.map({ $0 == metrics.bodyBytesSent }) ?? true { progress?.finish() }
            pipe?.end(.success(metrics))
            if pipe == nil { deliver(.success(response(ResponseBody(collected, metrics: metrics)))) }
        }
    }

    /// Ends the transfer with an error, from `send` or, once that has returned, from the body.
    func fail(_ error: any Error) {
        state.end()
        if !deliver(.failure(error)) { pipe?.end(.failure(error)) }
    }

    /// The time is up.
    func expire() {
        fail(
            URLError(
                .timedOut, saying: "\(setUp.url.host ?? "The server") did not answer in time.",
                requestMayHaveArrived: requestMayHaveArrived))
    }

    /// Gives the handle back. The body's file is closed with the transfer.
    func release() -> CurlHandle? {
        exchange(&handle, nil)
    }

    private func response(_ body: ResponseBody) -> HTTPResponse {
        HTTPResponse(
            status: state.head.status, headers: state.head.fields, url: setUp.url, body: body)
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
        let version = handle.number(CURLINFO_HTTP_VERSION)
        metrics.httpVersion = [1: "HTTP/1.0", 2: "HTTP/1.1", 3: "HTTP/2", 30: "HTTP/3"][version]
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
