// SPDX-License-Identifier: MIT

/// One header field: a name and a value (RFC 9110, section 5).
public struct HTTPField: Hashable, Sendable {
    /// The name, which matches in any letter case.
    public var name: String
    /// The value, without the blanks around it.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension HTTPField: CustomStringConvertible, CustomReflectable {
    /// As on the wire, a secret masked.
    public var description: String {
        "\(name): \(Secrets.isSecretName(name) ? Secrets.mask : value)"
    }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Header fields in the order of the wire, with repeats; names match in any letter case.
///
/// ```swift
/// var fields: HTTPFields = ["Accept": "application/json"]
/// fields["accept"] = "text/csv"
/// ```
public struct HTTPFields: Hashable, Sendable, RandomAccessCollection, ExpressibleByDictionaryLiteral
{
    private var fields: [HTTPField]

    /// Creates fields in the order given, repeats kept.
    public init(_ fields: [HTTPField] = []) {
        self.fields = fields
    }

    /// Creates fields from names and values, in the order written, repeats kept.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { HTTPField(name: $0.0, value: $0.1) }
    }

    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }
    public subscript(position: Int) -> HTTPField { fields[position] }

    /// The value of a field, nil when there is none.
    ///
    /// Repeated fields are joined by `, ` (RFC 9110, section 5.3), `Set-Cookie` too: read that one
    /// with ``values(_:)``. Setting replaces every field of the name, in the place of the first.
    public subscript(name: String) -> String? {
        get {
            fields.reduce(nil) { all, field in
                guard sameFieldName(field.name, name) else { return all }
                return all.map { "\($0), \(field.value)" } ?? field.value
            }
        }
        set {
            let first = fields.firstIndex { sameFieldName($0.name, name) }
            fields.removeAll { sameFieldName($0.name, name) }
            guard let newValue else { return }
            fields.insert(HTTPField(name: name, value: newValue), at: first ?? fields.endIndex)
        }
    }

    /// Returns the values of every field of that name, in order.
    public func values(_ name: String) -> [String] {
        fields.lazy.filter { sameFieldName($0.name, name) }.map(\.value)
    }

    /// Adds a field at the end, keeping those of the same name.
    public mutating func append(_ name: String, _ value: String) {
        // As many as most heads have: one allocation, not four.
        if fields.isEmpty { fields.reserveCapacity(12) }
        fields.append(HTTPField(name: name, value: value))
    }

    /// Continues the last field's value: an obsolete line folding (RFC 9112, section 5.2).
    mutating func fold(_ continuation: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += fields[last].value.isEmpty ? continuation : " " + continuation
    }
}

/// Whether two field names are the same (RFC 9110, section 5.1: case-insensitive, and ASCII).
func sameFieldName(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count
        && zip(one.utf8, other.utf8).allSatisfy {
            // They differ in the bit that makes an upper-case letter a lower-case one.
            $0 == $1 || ($0 ^ $1 == 0x20 && (0x61...0x7A).contains($0 | 0x20))
        }
}
