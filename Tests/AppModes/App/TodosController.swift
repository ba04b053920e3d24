// SPDX-License-Identifier: MIT

#if canImport(UIKit)
import Combine
import Foundation
import HTTPEndpoints
import UIKit

// A screen as TinyHTTP's documents write it. Compiled by Scripts/apple.
class TodosTableViewController: UITableViewController, EndpointLoading {
    var todos = [Todo]()
    let api = TodosAPI()
    lazy var todosResource = StatefulEndpoint(endpoint: self.api.all)
    var subscription: AnyCancellable?
    var message = ""

    override func viewDidLoad() {
        super.viewDidLoad()

        self.load(endpoint: self.api.all) { (todos) in
            self.todos = todos
            self.tableView.reloadData()
        }

        observe(endpoint: self.todosResource) { todos in
            self.todos = todos
            self.tableView.reloadData()
        }

        self.load(endpoint: self.api.draft()) { draft in
            self.message = draft.text
        }
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        self.todosResource.loadIfNeeded()
    }

    func delete(todo: Todo) {
        let task = self.load(
            endpoint: self.api.delete(todo: todo),
            activityIndicator: Spinner(),
            onError: { error in
                self.message = userMessage(for: error)
                EndpointDefaults.retry?()
            }
        ) { _ in
            self.todosResource.load()
        }
        task.cancel()
    }

    func subscribe() {
        subscription = todosResource.publisher.sink { state in
            print(state)
        }
    }
}

class Spinner: ActivityIndicator {
    func startActivity() {}
    func stopActivity() {}
}

@MainActor
func configure() {
    EndpointDefaults.defaultActivityIndicator = { controller in
        controller.map { OverlayActivityIndicator(parentView: $0.view) }
    }
    EndpointDefaults.defaultErrorHandler = { controller in
        { error in
            print(error)
            controller?.dismiss(animated: true)
        }
    }
}
#endif
