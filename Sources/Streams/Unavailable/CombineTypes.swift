// Types of Combine, so that the compiler can name the type to use instead. If Combine is imported too, its own types are found.

import Schedulers

/// Combine's `AnyPublisher`.
@available(*, unavailable, message: "every stream is an Observable of its elements; errors have no type")
public typealias AnyPublisher<Output: Sendable, Failure> = Observable<Output>

/// Combine's `PassthroughSubject`.
@available(*, unavailable, message: "use PublishSubject, or PublishRelay, which cannot terminate; errors have no type")
public typealias PassthroughSubject<Output: Sendable, Failure> = PublishSubject<Output>

/// Combine's `@Published`.
@available(*, unavailable, renamed: "Streamed")
public typealias Published<Value: Sendable> = Streamed<Value>

/// Combine's `CurrentValueSubject`.
@available(*, unavailable, message: "use BehaviorSubject(value:), or BehaviorRelay(value:), which cannot terminate; errors have no type")
public struct CurrentValueSubject<Output: Sendable, Failure>: ObservableType {
    public typealias Element = Output

    public init(_ value: Output) { unavailable() }

    public func asObservable() -> Observable<Output> { unavailable() }
}

/// Combine's `Just`.
@available(*, unavailable, message: "use Observable.just(_:)")
public struct Just<Output: Sendable>: ObservableType {
    public typealias Element = Output

    public init(_ element: Output) { unavailable() }

    public func asObservable() -> Observable<Output> { unavailable() }
}

/// Combine's `Fail`.
@available(*, unavailable, message: "use Observable.error(_:); errors have no type")
public struct Fail<Output: Sendable, Failure: Error>: ObservableType {
    public typealias Element = Output

    public init(error: Failure) { unavailable() }

    public init(outputType: Output.Type, failure: Failure) { unavailable() }

    public func asObservable() -> Observable<Output> { unavailable() }
}

/// Combine's `Empty`.
@available(*, unavailable, message: "use Observable.empty(), or Observable.never(); errors have no type")
public struct Empty<Output: Sendable, Failure: Error>: ObservableType {
    public typealias Element = Output

    public init(completeImmediately: Bool = true) { unavailable() }

    public func asObservable() -> Observable<Output> { unavailable() }
}

/// Combine's `ObservableObject`.
@available(*, unavailable, message: "use @Streamed properties, each of which is a stream: $name")
public typealias ObservableObject = AnyObject

/// Combine's `Publishers`.
@available(*, unavailable, message: "operators are functions of Observable, such as Observable.merge(a, b) and Observable.zip(a, b)")
public enum Publishers {
    public struct Merge<A, B> { public init(_ a: A, _ b: B) { unavailable() } }
    public struct CombineLatest<A, B> { public init(_ a: A, _ b: B) { unavailable() } }
    public struct Zip<A, B> { public init(_ a: A, _ b: B) { unavailable() } }
}

/// Combine's `AnyCancellable`.
@available(*, unavailable, message: "use any Disposable, and a DisposeBag for a set of them")
public struct AnyCancellable: Hashable, Sendable {}

/// The arguments of Combine's `buffer(size:prefetch:whenFull:)`.
@available(*, unavailable, message: "use observe(on:overflow:), or values(overflow:)")
public enum PublishersBuffer {
    /// The amount of demand.
    public enum Prefetch: Sendable {
        case keepFull, byRequest
    }

    /// The treatment of an element that exceeds the size.
    public enum WhenFull: Sendable {
        case dropNewest, dropOldest, customError(@Sendable () -> any Error)
    }
}
