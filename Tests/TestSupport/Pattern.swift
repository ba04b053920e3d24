// SPDX-License-Identifier: MIT

public import Foundation

/// Bytes that differ from place to place, so that a gap or a repeat shows.
public func pattern(_ count: Int) -> Data {
    // A prime length, which no buffer has; repeated, since a loop over each byte takes seconds.
    let block = Data((0..<8_191).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 >> 8) })
    var data = Data(capacity: count + block.count)
    while data.count < count { data.append(block) }
    return Data(data.prefix(count))
}
