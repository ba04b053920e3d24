// SPDX-License-Identifier: MIT

/// <https://developer.apple.com/documentation/os/oslog>.
public final class OSLog: Sendable {
    public init(subsystem: String, category: String) {}
}

/// <https://developer.apple.com/documentation/os/oslogtype>.
public struct OSLogType: Equatable, RawRepresentable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let `default` = OSLogType(rawValue: 0)
    public static let info = OSLogType(rawValue: 1)
    public static let debug = OSLogType(rawValue: 2)
    public static let error = OSLogType(rawValue: 16)
    public static let fault = OSLogType(rawValue: 17)
}

/// <https://developer.apple.com/documentation/os/os_log(_:dso:log:type:_:)>.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog, type: OSLogType,
    _ args: any CVarArg...
) {}
