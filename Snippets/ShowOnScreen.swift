// SPDX-License-Identifier: MIT

// Loads for a view controller: activity, errors and pull to refresh are shown for it. For Apple's
// platforms; elsewhere this file is empty.

#if canImport(UIKit) && !os(watchOS)
import Foundation
import HTTPEndpoints
import UIKit

struct Todo: Codable, Sendable {
    var id: Int
    var title: String
}

final class TodosAPI: Sendable {
    static let shared = TodosAPI()

    let all: StatefulEndpoint<[Todo]>
    private let url = URL(string: "https://host/todos/")!

    init() {
        let request = URLRequest(method: .get, url: url)
        let decoder = JSONDecoder()
        all = StatefulEndpoint(
            endpoint: Endpoint(request: request, decodeResponse: decoder.decodeResponse))
    }

    func delete(_ todo: Todo) -> Endpoint<Void> {
        let url = url.appendingRelative(String(todo.id))
        let request = URLRequest(method: .delete, url: url)
        return Endpoint(request: request, decodeResponse: EndpointExpectation.ignoreResponse)
    }
}

class TodosViewController: UITableViewController, EndpointLoading {
    var todos: [Todo] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        observe(endpoint: TodosAPI.shared.all) { [weak self] todos in
            self?.todos = todos
            self?.tableView.reloadData()
        }
    }

    func delete(_ todo: Todo) {
        load(endpoint: TodosAPI.shared.delete(todo)) {
            TodosAPI.shared.all.load()
        }
    }
}

// For the whole app: a line of your own for every error, with the default for the rest.
@MainActor func configure() {
    let standard = EndpointDefaults.defaultErrorHandler
    EndpointDefaults.defaultErrorHandler = { controller in
        { error in
            print("failed: \(error)")
            standard(controller)(error)
        }
    }
}
#endif
