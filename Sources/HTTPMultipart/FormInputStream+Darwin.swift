// SPDX-License-Identifier: MIT

#if canImport(Darwin)
import Foundation

/// What CFNetwork asks of a subclass: the abstract class raises an exception for each of these.
///
/// Written after the body stream that AFNetworking has had since 2011. Not run on Linux.
extension FormInputStream {
    /// Nobody: every read finds bytes, the end or an error at once, so that there is no news.
    override var delegate: (any StreamDelegate)? {
        get { nil }
        set {}
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    override func property(forKey key: Stream.PropertyKey) -> Any? { nil }

    override func setProperty(_ property: Any?, forKey key: Stream.PropertyKey) -> Bool { false }

    override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {}

    override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {}

    // CFReadStream calls its toll-free bridged subclass by these names.
    @objc(_scheduleInCFRunLoop:forMode:)
    func schedule(inCFRunLoop runLoop: CFRunLoop, mode: CFString) {}

    @objc(_unscheduleFromCFRunLoop:forMode:)
    func unschedule(fromCFRunLoop runLoop: CFRunLoop, mode: CFString) {}

    /// Says no: the reader then polls, and every read succeeds at once.
    @objc(_setCFClientFlags:callback:context:)
    func setClient(
        flags: CFOptionFlags,
        callback: CFReadStreamClientCallBack?,
        context: UnsafeMutablePointer<CFStreamClientContext>?
    ) -> Bool {
        false
    }
}
#endif
