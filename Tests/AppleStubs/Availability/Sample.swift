// SPDX-License-Identifier: MIT

// What the check has to find, and what not. Never compiled: each line that ends in `// found` is found,
// and no other.

func plain() {
    let chain = SecTrustCopyCertificateChain(trust)  // found
    // SecTrustCopyCertificateChain(trust) in a comment
    let text = "SecTrustCopyCertificateChain(trust)"
}

func asked() {
    if #available(iOS 15, macOS 12, tvOS 15, watchOS 8, *) {
        let chain = SecTrustCopyCertificateChain(trust)
        if chain.isEmpty { let again = SecTrustCopyCertificateChain(trust) }
    } else {
        let chain = SecTrustCopyCertificateChain(trust)  // found
    }
    let chain = SecTrustCopyCertificateChain(trust)  // found
}

func askedTooLittle() {
    if #available(iOS 14, macOS 12, tvOS 15, watchOS 8, *) {
        let chain = SecTrustCopyCertificateChain(trust)  // found
    }
    if #available(iOS 15, *) {
        let chain = SecTrustCopyCertificateChain(trust)  // found
    }
    if #available(iOS 13.4, macOS 10.15.4, tvOS 13.4, watchOS 6.2, *) {
        file.readToEnd()
    }
    if #available(iOS 13.3, macOS 10.15.4, tvOS 13.4, watchOS 6.2, *) {
        file.readToEnd()  // found
    }
}

func guarded() {
    file.readToEnd()  // found
    guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else {
        return file.readToEnd()  // found
    }
    let options = [kSecImportToMemoryOnly: true]
}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
struct Ticking {
    let clock = ContinuousClock()

    func wait(_ limit: Duration) async throws {
        try await Task.sleep(for: limit)
    }
}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
let limit = Duration.seconds(1)
let other = Duration.seconds(1)  // found

func made(by publisher: any Publisher<Int, Never>) {}  // found
struct Pack<each Element> {}  // found
func sequence(_ base: any AsyncSequence<Int, Never>) {}  // found

@available(*, deprecated)
func old() {
    file.readToEnd()  // found
}

func outdated() {
    SecTrustEvaluate(trust, &result)  // found
    // The successor is newer than the minimums, and is in this file too.
    let leaf = SecTrustGetCertificateAtIndex(trust, 0)
    let key = SecTrustCopyPublicKey(trust)  // found
    let size = UIActivityIndicatorView(style: .whiteLarge)  // found
}
