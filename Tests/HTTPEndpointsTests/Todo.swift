// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints

struct Todo: Codable, Equatable {
    var id: Int
    var title: String
}

/// A model as a project with default main-actor isolation has it: its conformance belongs there.
@MainActor
struct MainActorTodo: @MainActor Decodable {
    let title: String
    let wasDecodedOnMainQueue: Bool

    enum CodingKeys: CodingKey {
        case title
    }

    init(from decoder: any Decoder) throws {
        title = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
        wasDecodedOnMainQueue = MainQueueMark.isHere
    }
}

/// Tells whether the main queue runs this code, whichever thread it is on.
enum MainQueueMark {
    private static let key = DispatchSpecificKey<Bool>()
    private static let mark: Void = DispatchQueue.main.setSpecific(key: key, value: true)

    static var isHere: Bool {
        _ = mark
        return DispatchQueue.getSpecific(key: key) == true
    }
}

/// Not `Sendable`: a class with a variable.
final class Note: Decodable {
    var title: String
}

extension Endpoint {
    /// A GET whose answer is decoded as the closure says.
    static func get(
        _ url: URL,
        decode: @escaping DecodeResponse
    ) -> Endpoint<T> {
        Endpoint(request: URLRequest(method: .get, url: url), decodeResponse: decode)
    }
}

extension Endpoint where T: Decodable & SendableMetatype {
    /// A GET of JSON.
    static func json(_ url: URL, _ type: T.Type = T.self) -> Endpoint<T> {
        let decoder = JSONDecoder()
        return Endpoint(
            request: URLRequest(method: .get, url: url),
            decodeResponse: decoder.decodeResponse
        )
    }
}
