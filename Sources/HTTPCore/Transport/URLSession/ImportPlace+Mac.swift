// SPDX-License-Identifier: MIT

#if canImport(Security) && !canImport(UIKit)
internal import Foundation
internal import Security

/// Where a Mac keeps an imported identity: unless told otherwise, in the user's keychain, for good.
///
/// Before macOS 15 that is a keychain of its own, in a temporary file, under a password that nobody
/// knows. It is deleted with the session that shows the identity, or at once when the import fails. No
/// earlier: a key stays in its keychain, and can't be used once that is gone.
final class ImportPlace: PrivateKeychainMaking {
    let options: [String: Any]
    private let keychain: SecKeychain?

    private init(options: [String: Any], keychain: SecKeychain? = nil) {
        self.options = options
        self.keychain = keychain
    }

    static func forThisSystem() throws -> ImportPlace {
        if #available(macOS 15, *) {
            return ImportPlace(options: [kSecImportToMemoryOnly as String: true])
        }
        let maker: any PrivateKeychainMaking.Type = ImportPlace.self
        return try maker.inPrivateKeychain()
    }

    @available(*, deprecated)
    static func inPrivateKeychain() throws -> ImportPlace {
        let path = NSTemporaryDirectory() + "Duet-\(UUID().uuidString).keychain"
        let password = UUID().uuidString
        // Left alone, it locks after five minutes and when the Mac sleeps, and then asks the user.
        var settings = SecKeychainSettings(
            version: UInt32(SEC_KEYCHAIN_SETTINGS_VERS1), lockOnSleep: false,
            useLockInterval: false, lockInterval: UInt32(Int32.max))
        var keychain: SecKeychain?
        SecKeychainCreate(path, UInt32(password.utf8.count), password, false, nil, &keychain)
        guard let keychain, SecKeychainSetSettings(keychain, &settings) == errSecSuccess else {
            if let keychain { SecKeychainDelete(keychain) }
            throw ClientIdentity.fault("The client certificate has no place to be unpacked.")
        }
        return ImportPlace(
            options: [kSecImportExportKeychain as String: keychain], keychain: keychain)
    }

    @available(*, deprecated)
    deinit {
        if let keychain { SecKeychainDelete(keychain) }
    }
}

/// A way past the compiler's warning about functions that have no successor before macOS 15.
protocol PrivateKeychainMaking {
    static func inPrivateKeychain() throws -> ImportPlace
}
#endif
