// SPDX-License-Identifier: MIT

import Foundation
import HTTPEndpoints
import UIKit

/// The list: pull to refresh, + to add, tap to edit, swipe to delete.
///
/// Activity, errors and their Retry button are `EndpointLoading`'s.
final class TodosViewController: UITableViewController, EndpointLoading {
    private let api: TodosAPI
    private var todos: [Todo] = []

    init(api: TodosAPI) {
        self.api = api
        super.init(style: .plain)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        nil
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = "Todos"
        tableView.register(UITableViewCell.self, forCellReuseIdentifier: "todo")
        navigationItem.rightBarButtonItem = UIBarButtonItem(
            systemItem: .add, primaryAction: UIAction { [weak self] _ in self?.edit(nil) })

        let refresh = UIRefreshControl()
        refresh.addAction(
            UIAction { [weak self] _ in self?.api.all.load() }, for: .valueChanged)
        refreshControl = refresh

        observe(endpoint: api.all) { [weak self] todos in
            self?.todos = todos
            self?.tableView.reloadData()
        }
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        api.all.loadIfNeeded(maxAge: 60)
    }

    // MARK: Changing

    /// Asks for the title of a todo; nil is a new one.
    private func edit(_ todo: Todo?) {
        let alert = UIAlertController(
            title: todo == nil ? "New Todo" : "Edit Todo", message: nil, preferredStyle: .alert)
        alert.addTextField { $0.text = todo?.title }
        alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
        alert.addAction(
            UIAlertAction(title: "Save", style: .default) { [weak self, weak alert] _ in
                guard let self, let title = alert?.textFields?.first?.text else { return }
                save(todo.map { api.rename($0, to: title) } ?? api.add(title))
            })
        present(alert, animated: true)
    }

    private func save(_ endpoint: Endpoint<Todo>) {
        load(endpoint: endpoint, transport: api.transport) { [weak self] _ in
            self?.api.all.load()
        }
    }

    /// Takes the todo out of the list at once, and puts it back if the server does not agree.
    private func delete(_ todo: Todo) {
        let change = api.all.update { $0.removeAll { $0.id == todo.id } }
        load(
            endpoint: api.delete(todo), transport: api.transport,
            onError: { [weak self] error in
                change?.rollBack()
                EndpointDefaults.defaultErrorHandler(self)(error)
            },
            onSuccess: { [weak self] in self?.api.all.load() })
    }

    // MARK: The table

    override func tableView(
        _ tableView: UITableView, numberOfRowsInSection section: Int
    ) -> Int {
        todos.count
    }

    override func tableView(
        _ tableView: UITableView, cellForRowAt indexPath: IndexPath
    ) -> UITableViewCell {
        let cell = tableView.dequeueReusableCell(withIdentifier: "todo", for: indexPath)
        var content = cell.defaultContentConfiguration()
        content.text = todos[indexPath.row].title
        cell.contentConfiguration = content
        return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
        tableView.deselectRow(at: indexPath, animated: true)
        edit(todos[indexPath.row])
    }

    override func tableView(
        _ tableView: UITableView, commit editingStyle: UITableViewCell.EditingStyle,
        forRowAt indexPath: IndexPath
    ) {
        if editingStyle == .delete { delete(todos[indexPath.row]) }
    }
}
