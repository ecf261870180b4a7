// Names of Combine that are not declared here, so that the compiler can name the replacement: on streams, and on drivers, signals and
// infallible streams.

public import Foundation
import Schedulers

extension ObservableType {
    /// Combine's `sink`.
    @available(*, unavailable, renamed: "subscribe(onNext:)")
    public func sink(receiveValue: @escaping @Sendable (Element) -> Void) -> any Disposable { unavailable() }

    /// Combine's `sink`.
    @available(*, unavailable, message: "use subscribe(onNext:onError:onCompleted:)")
    public func sink(
        receiveCompletion: @escaping @Sendable (SubscribersCompletion) -> Void, receiveValue: @escaping @Sendable (Element) -> Void
    ) -> any Disposable { unavailable() }

    /// Combine's `assign(to:on:)`.
    @available(*, unavailable, message: "use bind(to: object.rx.property), for which the object's class conforms to ReactiveCompatible")
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Element>, on object: Root) -> any Disposable { unavailable() }

    /// Combine's `eraseToAnyPublisher()`.
    @available(*, unavailable, message: "every stream is an Observable already, without erasure")
    public func eraseToAnyPublisher() -> Observable<Element> { unavailable() }

    /// Combine's `setFailureType(to:)`.
    @available(*, unavailable, message: "errors have no type: leave it out")
    public func setFailureType<Failure: Error>(to type: Failure.Type) -> Observable<Element> { unavailable() }

    /// Combine's `receive(on:)`.
    @available(*, unavailable, renamed: "observe(on:)")
    public func receive<Executor>(on scheduler: Executor) -> Observable<Element> { unavailable() }

    /// Combine's `handleEvents`.
    @available(*, unavailable, renamed: "do(onNext:)")
    public func handleEvents(receiveOutput: @escaping @Sendable (Element) -> Void) -> Observable<Element> { unavailable() }

    /// Combine's `merge(with:)`.
    @available(*, unavailable, message: "use Observable.merge(a, b)")
    public func merge(with others: Observable<Element>...) -> Observable<Element> { unavailable() }

    /// Combine's `tryMap(_:)`.
    @available(*, unavailable, renamed: "map(_:)")
    public func tryMap<Result: Sendable>(_ transform: @escaping @Sendable (Element) throws -> Result) -> Observable<Result> {
        unavailable()
    }

    /// Combine's `tryFilter(_:)`.
    @available(*, unavailable, renamed: "filter(_:)")
    public func tryFilter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> { unavailable() }

    /// Combine's `removeDuplicates()`.
    @available(*, unavailable, renamed: "distinctUntilChanged()")
    public func removeDuplicates() -> Observable<Element> { unavailable() }

    /// Combine's `collect()`.
    @available(*, unavailable, renamed: "toArray()")
    public func collect() -> Observable<[Element]> { unavailable() }

    /// Combine's `prefix(_:)`.
    @available(*, unavailable, renamed: "take(_:)")
    public func prefix(_ count: Int) -> Observable<Element> { unavailable() }

    /// Combine's `prefix(while:)`.
    @available(*, unavailable, renamed: "take(while:)")
    public func prefix(while predicate: @escaping @Sendable (Element) -> Bool) -> Observable<Element> { unavailable() }

    /// Combine's `dropFirst(_:)`.
    @available(*, unavailable, renamed: "skip(_:)")
    public func dropFirst(_ count: Int = 1) -> Observable<Element> { unavailable() }

    /// Combine's `drop(while:)`.
    @available(*, unavailable, renamed: "skip(while:)")
    public func drop(while predicate: @escaping @Sendable (Element) -> Bool) -> Observable<Element> { unavailable() }

    /// Combine's `prepend(_:)`.
    @available(*, unavailable, renamed: "startWith(_:)")
    public func prepend(_ elements: Element...) -> Observable<Element> { unavailable() }

    /// Combine's `append(_:)`.
    @available(*, unavailable, renamed: "endWith(_:)")
    public func append(_ elements: Element...) -> Observable<Element> { unavailable() }

    /// Combine's `output(at:)`.
    @available(*, unavailable, renamed: "element(at:)")
    public func output(at index: Int) -> Observable<Element> { unavailable() }
}

extension ObservableType where Element: ObservableType {
    /// Combine's `switchToLatest()`.
    @available(*, unavailable, renamed: "switchLatest()")
    public func switchToLatest() -> Observable<Element.Element> { unavailable() }
}

extension ObserverType {
    /// Combine's `send(_:)`.
    @available(*, unavailable, renamed: "onNext(_:)")
    public func send(_ element: Element) { unavailable() }

    /// Combine's `send(completion:)`.
    @available(*, unavailable, message: "use onCompleted() or onError(_:)")
    public func send(completion: SubscribersCompletion) { unavailable() }
}

extension Timer {
    /// Combine's `Timer.publish`.
    @available(*, unavailable, message: "use Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.instance)")
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode
    ) -> Observable<Date> { unavailable() }
}

extension Disposable {
    /// Combine's `store(in:)`.
    @available(*, unavailable, renamed: "disposed(by:)")
    public func store<Cancellables>(in cancellables: inout Cancellables) { unavailable() }
}

/// The cases of Combine's `Subscribers.Completion`, for closures that switch over them.
@available(*, unavailable, message: "a terminal event is Event.completed or Event.error(_:)")
public enum SubscribersCompletion: Sendable {
    case finished
    case failure(any Error)
}

/// The body of declarations that exist for their diagnostics only.
package func unavailable() -> Never {
    fatalError("The compiler refuses calls of unavailable declarations.")
}

extension InfallibleSequence where Kind == TraitKind.Driver {
    /// Combine's `sink`.
    @available(*, unavailable, renamed: "drive(onNext:)")
    public func sink(receiveValue: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable { unavailable() }
}

extension InfallibleSequence where Kind == TraitKind.Signal {
    /// Combine's `sink`.
    @available(*, unavailable, renamed: "emit(onNext:)")
    public func sink(receiveValue: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable { unavailable() }
}

extension InfallibleSequence where Kind == TraitKind.Infallible {
    /// Combine's `sink`.
    @available(*, unavailable, renamed: "subscribe(onNext:)")
    public func sink(receiveValue: @escaping @Sendable (Element) -> Void) -> any Disposable { unavailable() }

    /// Combine's `receive(on:)`.
    @available(*, unavailable, renamed: "observe(on:)")
    public func receive<Executor>(on scheduler: Executor) -> Self { unavailable() }
}

extension InfallibleSequence where Kind: TraitKind.OnMainLoop {
    /// Combine's `receive(on:)`.
    @available(*, unavailable, message: "drivers and signals are delivered on the main loop already")
    public func receive<Executor>(on scheduler: Executor) -> Self { unavailable() }
}

extension InfallibleSequence {
    /// Combine's `assign(to:on:)`.
    @available(*, unavailable, message: "a binder of the property takes the elements: object.rx.property")
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Element>, on object: Root) -> any Disposable { unavailable() }

    /// Combine's `eraseToAnyPublisher()`.
    @available(*, unavailable, message: "every driver, signal and infallible stream has one type already, without erasure")
    public func eraseToAnyPublisher() -> Self { unavailable() }

    /// Combine's `setFailureType(to:)`.
    @available(*, unavailable, message: "errors have no type: leave it out")
    public func setFailureType<Failure: Error>(to type: Failure.Type) -> Self { unavailable() }

    /// Combine's `handleEvents`.
    @available(*, unavailable, renamed: "do(onNext:)")
    public func handleEvents(receiveOutput: @escaping @Sendable (Element) -> Void) -> Self { unavailable() }

    /// Combine's `removeDuplicates()`.
    @available(*, unavailable, renamed: "distinctUntilChanged()")
    public func removeDuplicates() -> Self { unavailable() }

    /// Combine's `prefix(_:)`.
    @available(*, unavailable, renamed: "take(_:)")
    public func prefix(_ count: Int) -> Self { unavailable() }

    /// Combine's `dropFirst(_:)`.
    @available(*, unavailable, renamed: "skip(_:)")
    public func dropFirst(_ count: Int = 1) -> Self { unavailable() }

    /// Combine's `prepend(_:)`.
    @available(*, unavailable, renamed: "startWith(_:)")
    public func prepend(_ elements: Element...) -> Self { unavailable() }
}
