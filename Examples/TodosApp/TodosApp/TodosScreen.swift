// SPDX-License-Identifier: MIT

import HTTPEndpoints
import SwiftUI

/// The same list in SwiftUI: it reads the snapshot, and is drawn again when that changes.
struct TodosScreen: View {
    let api: TodosAPI

    var body: some View {
        let snapshot = api.all.snapshot
        NavigationStack {
            List {
                if let error = snapshot.error {
                    Text(userMessage(for: error))
                    Button("Retry") { api.all.load() }
                }
                ForEach(snapshot.value ?? []) { todo in
                    Text(todo.title)
                }
            }
            .overlay {
                // A list that is there stays while a newer one is loaded.
                if snapshot.isLoading, snapshot.value == nil { ProgressView() }
            }
            .navigationTitle("Todos")
            .refreshable { await api.all.reload() }
            .task { api.all.loadIfNeeded(maxAge: 60) }
        }
    }
}
