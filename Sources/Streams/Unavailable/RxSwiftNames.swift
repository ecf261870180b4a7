// Names of RxSwift, most of them from versions before 6, that are not declared here, so that the compiler can name the replacement.

import Schedulers

extension ObservableType {
    /// RxSwift 5's `observeOn(_:)`.
    @available(*, unavailable, renamed: "observe(on:)")
    public func observeOn(_ scheduler: any Scheduler) -> Observable<Element> { unavailable() }

    /// RxSwift 5's `subscribeOn(_:)`.
    @available(*, unavailable, renamed: "subscribe(on:)")
    public func subscribeOn(_ scheduler: any Scheduler) -> Observable<Element> { unavailable() }

    /// RxSwift 5's `catchError(_:)`.
    @available(*, unavailable, renamed: "catch(_:)")
    public func catchError(_ handler: @escaping @Sendable (any Error) throws -> Observable<Element>) -> Observable<Element> {
        unavailable()
    }

    /// RxSwift 5's `catchErrorJustReturn(_:)`.
    @available(*, unavailable, renamed: "catchAndReturn(_:)")
    public func catchErrorJustReturn(_ element: Element) -> Observable<Element> { unavailable() }

    /// RxSwift 5's `retryWhen(_:)`.
    @available(*, unavailable, renamed: "retry(when:)")
    public func retryWhen<Trigger: ObservableType>(
        _ notificationHandler: @escaping @Sendable (Observable<any Error>) -> Trigger
    ) -> Observable<Element> { unavailable() }

    /// RxSwift 5's `takeUntil(_:)`.
    @available(*, unavailable, renamed: "take(until:)")
    public func takeUntil<Other: ObservableType>(_ other: Other) -> Observable<Element> { unavailable() }

    /// RxSwift 5's `takeWhile(_:)`.
    @available(*, unavailable, renamed: "take(while:)")
    public func takeWhile(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> { unavailable() }

    /// RxSwift 5's `skipUntil(_:)`.
    @available(*, unavailable, renamed: "skip(until:)")
    public func skipUntil<Other: ObservableType>(_ other: Other) -> Observable<Element> { unavailable() }

    /// RxSwift 5's `skipWhile(_:)`.
    @available(*, unavailable, renamed: "skip(while:)")
    public func skipWhile(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> { unavailable() }

    /// RxSwift 5's `elementAt(_:)`.
    @available(*, unavailable, renamed: "element(at:)")
    public func elementAt(_ index: Int) -> Observable<Element> { unavailable() }
}

extension ObservableType {
    /// RxSwift's `distinctUntilChanged(at:)`.
    @available(*, unavailable, message: "a key path is a closure: distinctUntilChanged(\\.id)")
    public func distinctUntilChanged<Key: Equatable>(at keyPath: KeyPath<Element, Key>) -> Observable<Element> { unavailable() }
}

extension InfallibleSequence {
    /// RxSwift's `distinctUntilChanged(at:)`.
    @available(*, unavailable, message: "a key path is a closure: distinctUntilChanged(\\.id)")
    public func distinctUntilChanged<Key: Equatable>(at keyPath: KeyPath<Element, Key>) -> Self { unavailable() }
}

extension ReplaySubject {
    /// RxSwift's `ReplaySubject.create(bufferSize:)`.
    @available(*, unavailable, renamed: "init(bufferSize:)")
    public static func create(bufferSize: Int) -> ReplaySubject<Element> { unavailable() }
}

extension PrimitiveSequence where Kind == TraitKind.Completable, Element == Never {
    /// RxSwift 4's `Completable.merge`, RxJava's `mergeArray`.
    @available(*, unavailable, renamed: "zip(_:)")
    public static func merge(_ completables: Completable...) -> Completable { unavailable() }

    /// RxSwift 4's `Completable.merge`, RxJava's `merge`.
    @available(*, unavailable, renamed: "zip(_:)")
    public static func merge(_ completables: [Completable]) -> Completable { unavailable() }
}

extension Disposables {
    /// RxSwift's `Disposables.create(with:)`.
    @available(*, unavailable, renamed: "create(_:)")
    public static func create(with dispose: @escaping @Sendable () -> Void) -> any Disposable { unavailable() }
}

/// RxSwift's `SchedulerType`.
@available(*, unavailable, message: "use any Scheduler")
public typealias SchedulerType = any Scheduler

/// The activity indicator of RxSwift's examples.
@available(*, unavailable, renamed: "LoadIndicator")
public typealias ActivityIndicator = LoadIndicator
