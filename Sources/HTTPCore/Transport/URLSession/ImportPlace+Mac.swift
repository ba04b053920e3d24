// SPDX-License-Identifier: MIT

#if canImport(Security) && !canImport(UIKit)
internal import Foundation
internal import Security

/// Where a Mac puts an imported identity: unless told otherwise, into the user's keychain, for good.
struct ImportPlace {
    let options: [String: Any]
    private var keychain: PrivateKeychain?

    static func forThisSystem() throws -> ImportPlace {
        if #available(macOS 15, *) {
            return ImportPlace(options: [kSecImportToMemoryOnly as String: true])
        }
        return try inPrivateKeychain()
    }

    static func inPrivateKeychain() throws -> ImportPlace {
        let maker: any PrivateKeychainMaking.Type = PrivateKeychain.self
        let keychain = try maker.make()
        return ImportPlace(
            options: [kSecImportExportKeychain as String: keychain.reference], keychain: keychain)
    }
}

/// A way to functions that have no successor before macOS 15, past the compiler's warning that there
/// is one.
private protocol PrivateKeychainMaking {
    static func make() throws -> PrivateKeychain
}

/// A keychain for one identity, in a temporary file, under a password that nobody knows.
///
/// It is deleted with the session that shows the identity, or at once when the import fails. No
/// earlier: a key stays in its keychain, and can't be used once that is gone.
private final class PrivateKeychain: PrivateKeychainMaking {
    let reference: SecKeychain

    private init(_ reference: SecKeychain) {
        self.reference = reference
    }

    @available(*, deprecated)
    static func make() throws -> PrivateKeychain {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("Duet-\(UUID().uuidString).keychain")
        let password = UUID().uuidString
        var keychain: SecKeychain?
        let status = SecKeychainCreate(
            file.path, UInt32(password.utf8.count), password, false, nil, &keychain)
        guard status == errSecSuccess, let keychain else {
            throw TLSFault.identityHasNoPlace.urlError()
        }
        let made = PrivateKeychain(keychain)
        // Left alone, it locks after five minutes and when the Mac sleeps, and then asks the user.
        var settings = SecKeychainSettings(
            version: UInt32(SEC_KEYCHAIN_SETTINGS_VERS1), lockOnSleep: false,
            useLockInterval: false, lockInterval: UInt32(Int32.max))
        guard SecKeychainSetSettings(keychain, &settings) == errSecSuccess else {
            throw TLSFault.identityHasNoPlace.urlError()
        }
        return made
    }

    @available(*, deprecated)
    deinit {
        SecKeychainDelete(reference)
    }
}
#endif
