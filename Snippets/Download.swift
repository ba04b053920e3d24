// SPDX-License-Identifier: MIT

// Downloads to a file, going on from where an earlier run broke off.

import Foundation
import HTTPActor

let file = URL(fileURLWithPath: "export.zip")

try await API.shared.download(url: "https://host/export.zip", to: file, resume: true) {
    print("\($0.bytesReceived) of \($0.bytesInAll ?? 0) bytes")
}
