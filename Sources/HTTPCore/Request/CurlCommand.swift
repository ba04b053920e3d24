// SPDX-License-Identifier: MIT

internal import Foundation

extension HTTPRequest {
    /// The request as a curl command, for a POSIX shell.
    ///
    /// ```
    /// curl -g -X 'POST' -H 'Content-Type: application/json' --compressed --data-raw '{"name":"Ada"}' 'https://host'
    /// ```
    ///
    /// It sends what is set here, without what layers add, such as a cookie or a token. A body that streams, or
    /// is longer than 64 KiB or no text, is read from standard input; so is a form of parts that may be secrets.
    ///
    /// - Parameter showsSecrets: Whether passwords, tokens and the like are in it; else they are `•••`.
    /// - Returns: A command that runs.
    public func curlCommand(showsSecrets: Bool = false) -> String {
        func has(_ name: String) -> Bool { urlRequest.value(forHTTPHeaderField: name) != nil }
        func shown(_ text: String) -> String {
            showsSecrets ? text : Secrets.masked(Secrets.masked(text), valuesOf: self)
        }
        // Without -g, brackets and braces in the URL would stand for several.
        var words = ["curl -g", method == .head ? "--head" : "-X \(Self.quoted(method.rawValue))"]
        for (name, value) in (urlRequest.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key })
        where !["content-length", "transfer-encoding", "expect"].contains(name.lowercased()) {
            let value = isSecret(name) && !showsSecrets ? Secrets.mask : shown(value)
            words.append("-H " + Self.quoted(value.isEmpty ? "\(name);" : "\(name): \(value)"))
        }
        if !has("Accept-Encoding") { words.append("--compressed") }
        if let (option, value) = content(showsSecrets) {
            if !has("Content-Type") { words.append("-H Content-Type:") }
            words.append("\(option) \(Self.quoted(shown(value)))")
        }
        let url = showsSecrets ? urlRequest.url?.absoluteString : urlRequest.url?.maskingSecrets
        words.append(Self.quoted(shown(url ?? "")))
        return words.joined(separator: " ")
    }

    /// The body as an option and its value.
    private func content(_ showsSecrets: Bool) -> (String, String)? {
        switch body {
        case .empty: return method.anticipatesContent ? ("--data-raw", "") : nil
        case .file(let url): return ("--data-binary", "@\(url.path)")
        case .data(let data) where data.count <= 65_536 && !data.contains(0):
            let text = String(data: data, encoding: .utf8)
            let type = urlRequest.value(forHTTPHeaderField: "Content-Type")
            let isShown = showsSecrets || !Secrets.areParts(data, type)
            if let text, isShown { return ("--data-raw", text) }
        case .data, .stream: break
        }
        return ("--data-binary", "@-")
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }
}
