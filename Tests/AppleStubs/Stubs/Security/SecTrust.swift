// SPDX-License-Identifier: MIT

@_exported public import AppleFoundation
public import Foundation

/// <https://developer.apple.com/documentation/security/errsecsuccess>.
public let errSecSuccess: OSStatus = 0
/// <https://developer.apple.com/documentation/security/errsecparam>.
public let errSecParam: OSStatus = -50
/// <https://developer.apple.com/documentation/security/errseccreatechainfailed>.
public let errSecCreateChainFailed: OSStatus = -25318
/// <https://developer.apple.com/documentation/security/errsechostnamemismatch>.
public let errSecHostNameMismatch: OSStatus = -67602
/// <https://developer.apple.com/documentation/security/errseccertificateexpired>.
public let errSecCertificateExpired: OSStatus = -67818
/// <https://developer.apple.com/documentation/security/errseccertificatenotvalidyet>.
public let errSecCertificateNotValidYet: OSStatus = -67819
/// <https://developer.apple.com/documentation/security/errseccertificaterevoked>.
public let errSecCertificateRevoked: OSStatus = -67820
/// <https://developer.apple.com/documentation/security/errsecnottrusted>.
public let errSecNotTrusted: OSStatus = -67843

/// <https://developer.apple.com/documentation/security/seccertificatecreatewithdata(_:_:)>: nil for what
/// is no certificate.
@discardableResult
public func SecCertificateCreateWithData(
    _ allocator: CFAllocator?, _ data: CFData
) -> SecCertificate? {
    (data as Data).first == 0x30 ? SecCertificate(der: data as Data) : nil
}

/// <https://developer.apple.com/documentation/security/seccertificatecopydata(_:)>.
@discardableResult
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    certificate.der as CFData
}

/// <https://developer.apple.com/documentation/security/sectrustsetanchorcertificates(_:_:)>: from here on
/// these alone are trusted.
@discardableResult
public func SecTrustSetAnchorCertificates(
    _ trust: SecTrust, _ anchorCertificates: CFArray?
) -> OSStatus {
    guard trust.takesAnchors else { return errSecParam }
    trust.anchors = anchorCertificates as? [SecCertificate]
    trust.anchorsOnly = true
    return errSecSuccess
}

/// <https://developer.apple.com/documentation/security/sectrustsetanchorcertificatesonly(_:_:)>.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(
    _ trust: SecTrust, _ anchorCertificatesOnly: Bool
) -> OSStatus {
    trust.anchorsOnly = anchorCertificatesOnly
    return errSecSuccess
}

/// <https://developer.apple.com/documentation/security/sectrustevaluatewitherror(_:_:)>.
@discardableResult
public func SecTrustEvaluateWithError(
    _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
) -> Bool {
    trust.evaluations += 1
    guard let code = trust.verdict(trust.anchors, trust.anchorsOnly ?? false) else { return true }
    error?.pointee = NSError(domain: NSOSStatusErrorDomain, code: Int(code))
    return false
}

/// <https://developer.apple.com/documentation/security/sectrustcopycertificatechain(_:)>.
@available(iOS 15, macOS 12, tvOS 15, watchOS 8, visionOS 1, *)
@discardableResult
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
    trust.chain as CFArray
}

/// <https://developer.apple.com/documentation/security/sectrustgetcertificateatindex(_:_:)>.
@discardableResult
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ ix: CFIndex) -> SecCertificate? {
    trust.chain.indices.contains(ix) ? trust.chain[ix] : nil
}
