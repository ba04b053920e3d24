// SPDX-License-Identifier: MIT

/// <https://developer.apple.com/documentation/combine/publisher>.
public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

/// <https://developer.apple.com/documentation/combine/subscriber>.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    associatedtype Input
    associatedtype Failure: Error

    func receive(subscription: any Subscription)
    func receive(_ input: Input) -> Subscribers.Demand
    func receive(completion: Subscribers.Completion<Failure>)
}

/// <https://developer.apple.com/documentation/combine/subscription>.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    func request(_ demand: Subscribers.Demand)
}

/// <https://developer.apple.com/documentation/combine/cancellable>.
public protocol Cancellable {
    func cancel()
}

/// <https://developer.apple.com/documentation/combine/customcombineidentifierconvertible>.
public protocol CustomCombineIdentifierConvertible {
    var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
    public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}

/// <https://developer.apple.com/documentation/combine/combineidentifier>.
public struct CombineIdentifier: Hashable {
    private let id: ObjectIdentifier

    public init(_ obj: AnyObject) {
        id = ObjectIdentifier(obj)
    }
}

/// <https://developer.apple.com/documentation/combine/subscribers>.
public enum Subscribers {
    /// <https://developer.apple.com/documentation/combine/subscribers/completion>.
    public enum Completion<Failure: Error> {
        case finished
        case failure(Failure)
    }

    /// <https://developer.apple.com/documentation/combine/subscribers/demand>.
    public struct Demand: Equatable, Sendable {
        private let count: Int?

        public static let none = Demand(count: 0)
        public static let unlimited = Demand(count: nil)
    }
}

/// <https://developer.apple.com/documentation/combine/anypublisher>.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let base: any Publisher<Output, Failure>

    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        base = publisher
    }

    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
        base.receive(subscriber: subscriber)
    }
}

extension Publisher {
    /// <https://developer.apple.com/documentation/combine/publisher/erasetoanypublisher()>.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
        AnyPublisher(self)
    }

    /// <https://developer.apple.com/documentation/combine/publisher/map(_:)-99evh>.
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
        Publishers.Map(upstream: self, transform: transform)
    }

    /// <https://developer.apple.com/documentation/combine/publisher/sink(receivevalue:)>.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable
    where Failure == Never {
        let sink = Sink<Output, Never>(receiveValue)
        receive(subscriber: sink)
        return AnyCancellable { sink.cancel() }
    }
}

/// <https://developer.apple.com/documentation/combine/publishers>.
public enum Publishers {
    /// <https://developer.apple.com/documentation/combine/publishers/map>.
    public struct Map<Upstream: Publisher, Output>: Publisher {
        public typealias Failure = Upstream.Failure

        let upstream: Upstream
        let transform: (Upstream.Output) -> Output

        public func receive<S: Subscriber>(subscriber: S)
        where S.Input == Output, S.Failure == Failure {
            upstream.receive(subscriber: Inner(subscriber, transform))
        }

        private final class Inner<S: Subscriber>: Subscriber where S.Input == Output {
            typealias Input = Upstream.Output
            typealias Failure = S.Failure

            let subscriber: S
            let transform: (Input) -> Output

            init(_ subscriber: S, _ transform: @escaping (Input) -> Output) {
                self.subscriber = subscriber
                self.transform = transform
            }

            func receive(subscription: any Subscription) {
                subscriber.receive(subscription: subscription)
            }

            func receive(_ input: Input) -> Subscribers.Demand {
                subscriber.receive(transform(input))
            }

            func receive(completion: Subscribers.Completion<Failure>) {
                subscriber.receive(completion: completion)
            }
        }
    }
}

/// <https://developer.apple.com/documentation/combine/anycancellable>: cancels when it goes.
public final class AnyCancellable: Cancellable {
    private var action: (() -> Void)?

    public init(_ cancel: @escaping () -> Void) {
        action = cancel
    }

    deinit {
        cancel()
    }

    public func cancel() {
        action?()
        action = nil
    }
}

private final class Sink<Input, Failure: Error>: Subscriber {
    private let receiveValue: (Input) -> Void
    private var subscription: (any Subscription)?

    init(_ receiveValue: @escaping (Input) -> Void) {
        self.receiveValue = receiveValue
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        receiveValue(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {}

    func cancel() {
        subscription?.cancel()
        subscription = nil
    }
}

/// <https://developer.apple.com/documentation/combine/currentvaluesubject>.
///
/// No lock in this stub, so that tests use it from one thread; and it knows no demand but `unlimited`. Not `Sendable`, as in Combine.
public final class CurrentValueSubject<Output, Failure: Error>: Publisher {
    public private(set) var value: Output
    private var conduits: [Conduit] = []

    public init(_ value: Output) {
        self.value = value
    }

    public func send(_ input: Output) {
        value = input
        for conduit in conduits { conduit.receive(input) }
    }

    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
        let conduit = Conduit(self) { _ = subscriber.receive($0) }
        conduits.append(conduit)
        subscriber.receive(subscription: conduit)
        conduit.receive(value)
    }

    /// Keeps the subject alive until it is cancelled.
    private final class Conduit: Subscription {
        private var subject: CurrentValueSubject?
        private let send: (Output) -> Void

        init(_ subject: CurrentValueSubject, _ send: @escaping (Output) -> Void) {
            self.subject = subject
            self.send = send
        }

        func receive(_ input: Output) {
            if subject != nil { send(input) }
        }

        func request(_ demand: Subscribers.Demand) {}

        func cancel() {
            subject?.conduits.removeAll { $0 === self }
            subject = nil
        }
    }
}
