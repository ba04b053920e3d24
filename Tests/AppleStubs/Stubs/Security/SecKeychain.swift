// SPDX-License-Identifier: MIT

#if !canImport(UIKit)
public import AppleFoundation
public import Foundation
public import Synchronization

// All of it was deprecated with macOS 10.10, and is on no other platform.

/// <https://developer.apple.com/documentation/security/ksecimportexportkeychain>.
public var kSecImportExportKeychain: CFString { "keychain" as CFString }

/// <https://developer.apple.com/documentation/security/seckeychain>.
public final class SecKeychain: CoreFoundationType {
    public static let typeID: CFTypeID = 4
    let path: String

    init(path: String) {
        self.path = path
    }
}

/// <https://developer.apple.com/documentation/security/secaccess>.
public final class SecAccess {}

/// <https://developer.apple.com/documentation/security/sec_keychain_settings_vers1>.
public var SEC_KEYCHAIN_SETTINGS_VERS1: Int32 { 1 }

/// <https://developer.apple.com/documentation/security/seckeychainsettings>.
public struct SecKeychainSettings: Sendable {
    public var version: UInt32
    public var lockOnSleep: DarwinBoolean
    public var useLockInterval: DarwinBoolean
    public var lockInterval: UInt32

    public init(
        version: UInt32, lockOnSleep: DarwinBoolean, useLockInterval: DarwinBoolean,
        lockInterval: UInt32
    ) {
        self.version = version
        self.lockOnSleep = lockOnSleep
        self.useLockInterval = useLockInterval
        self.lockInterval = lockInterval
    }
}

extension StubSecurity {
    /// The keychains that exist, by path, with what was set on them.
    public static var keychains: [String: SecKeychainSettings?] { existing.withLock { $0 } }

    /// The status that the next creation, or the next change of settings, fails with.
    public struct Failures: Sendable {
        public var creation = errSecSuccess
        public var settings = errSecSuccess
    }

    public static let failures = Mutex(Failures())

    static let existing = Mutex<[String: SecKeychainSettings?]>([:])
}

/// <https://developer.apple.com/documentation/security/seckeychaincreate(_:_:_:_:_:_:)>.
@available(*, deprecated, message: "SecKeychain is deprecated")
@discardableResult
public func SecKeychainCreate(
    _ pathName: UnsafePointer<CChar>, _ passwordLength: UInt32, _ password: UnsafeRawPointer?,
    _ promptUser: Bool, _ initialAccess: SecAccess?,
    _ keychain: UnsafeMutablePointer<SecKeychain?>
) -> OSStatus {
    let status = StubSecurity.failures.withLock { failures in
        defer { failures.creation = errSecSuccess }
        return failures.creation
    }
    guard status == errSecSuccess else { return status }
    // A dialog is what an app's user must never see.
    guard !promptUser, password != nil, passwordLength > 0 else { return errSecParam }
    let made = SecKeychain(path: String(cString: pathName))
    StubSecurity.existing.withLock { $0[made.path] = .some(nil) }
    keychain.pointee = made
    return errSecSuccess
}

/// <https://developer.apple.com/documentation/security/seckeychainsetsettings(_:_:)>: of the default
/// keychain, when none is given.
@available(*, deprecated, message: "SecKeychain is deprecated")
@discardableResult
public func SecKeychainSetSettings(
    _ keychain: SecKeychain?, _ newSettings: UnsafePointer<SecKeychainSettings>
) -> OSStatus {
    let status = StubSecurity.failures.withLock { failures in
        defer { failures.settings = errSecSuccess }
        return failures.settings
    }
    guard status == errSecSuccess, let keychain else { return errSecParam }
    StubSecurity.existing.withLock { $0[keychain.path] = newSettings.pointee }
    return errSecSuccess
}

/// <https://developer.apple.com/documentation/security/seckeychaindelete(_:)>.
@available(*, deprecated, message: "SecKeychain is deprecated")
@discardableResult
public func SecKeychainDelete(_ keychainOrArray: SecKeychain?) -> OSStatus {
    guard let keychainOrArray else { return errSecParam }
    StubSecurity.existing.withLock { $0[keychainOrArray.path] = nil }
    return errSecSuccess
}

extension StubSecurity {
    /// Where an import with these options goes; nil: it fails.
    public static func place(_ options: [String: Any]) -> ImportedInto? {
        if options["memory"] as? Bool == true { return .memory }
        guard let named = options["keychain"] else { return .defaultKeychain }
        guard let keychain = named as? SecKeychain,
            StubSecurity.existing.withLock({ $0.keys.contains(keychain.path) })
        else { return nil }
        return .keychain(keychain.path)
    }
}
#endif
