// SPDX-License-Identifier: MIT

#if canImport(CCurl)
internal import CCurl

/// Header lines as libcurl's list, in one allocation: nodes first, then the text.
///
/// `@unchecked Sendable`: written in `init` alone; libcurl only reads it.
final class CurlFieldList: @unchecked Sendable {
    private let block: UnsafeMutableRawPointer
    /// Nil when there are no lines.
    let head: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [String]) {
        let nodeBytes = lines.count * MemoryLayout<curl_slist>.stride
        let textBytes = lines.reduce(0) { $0 + $1.utf8.count + 1 }
        block = .allocate(
            byteCount: nodeBytes + textBytes, alignment: MemoryLayout<curl_slist>.alignment)
        let nodes = block.bindMemory(to: curl_slist.self, capacity: lines.count)
        var text = (block + nodeBytes).bindMemory(to: CChar.self, capacity: textBytes)
        for (index, line) in lines.enumerated() {
            let next = index + 1 < lines.count ? nodes + index + 1 : nil
            (nodes + index).initialize(to: curl_slist(data: text, next: next))
            for byte in line.utf8 {
                text.initialize(to: CChar(bitPattern: byte))
                text += 1
            }
            text.initialize(to: 0)
            text += 1
        }
        head = lines.isEmpty ? nil : nodes
    }

    deinit {
        block.deallocate()
    }
}
#endif
