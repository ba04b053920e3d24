// SPDX-License-Identifier: MIT

// Shows a shared endpoint in SwiftUI: the old list while a new one is loaded, and what went wrong. For
// Apple's platforms; elsewhere this file is empty.

#if canImport(SwiftUI)
import Foundation
import HTTPEndpoints
import SwiftUI

struct Todo: Codable, Identifiable, Sendable {
    var id: Int
    var title: String
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
struct TodosScreen: View {
    let todos: StatefulEndpoint<[Todo]>

    var body: some View {
        let snapshot = todos.snapshot
        List {
            if let error = snapshot.error { Text(userMessage(for: error)) }
            ForEach(snapshot.value ?? []) { Text($0.title) }
        }
        .overlay { if snapshot.isLoading { ProgressView() } }
        .refreshable { await todos.reload() }
        .task { todos.loadIfNeeded(maxAge: 60) }
    }
}
#endif
