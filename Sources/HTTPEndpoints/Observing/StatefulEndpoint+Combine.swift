// SPDX-License-Identifier: MIT

#if canImport(Combine)
public import Combine

extension StatefulEndpoint {
    /// The states from the present one on, in order, for as long as anybody subscribes.
    ///
    /// Reading this property loads where nothing was loaded yet, but not after a failure. States come on the
    /// thread that changed them: add `receive(on: DispatchQueue.main)` for what touches the screen. As with
    /// any `CurrentValueSubject`, a subscriber that asks for fewer gets the latest.
    public var publisher: AnyPublisher<LoadingResult, Never> {
        let link = SubjectLink<LoadingResult>(.empty)
        addObserver(owner: link.subject, queue: nil, observeCurrent: true) { [weak link] state in
            link?.subject.send(state)
        }
        // The subscription keeps the link, and this endpoint with it.
        return link.subject.map { [self] state in withExtendedLifetime((self, link)) { state } }
            .eraseToAnyPublisher()
    }
}

/// Takes a subject to the thread of an observer.
///
/// `@unchecked Sendable`: `send` is called by one observer, one call at a time, and a subject takes
/// subscribers from any thread.
private final class SubjectLink<State>: @unchecked Sendable {
    let subject: CurrentValueSubject<State, Never>

    init(_ state: State) {
        subject = CurrentValueSubject(state)
    }
}
#endif
