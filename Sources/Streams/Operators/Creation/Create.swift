import Schedulers

extension Observable {
    /// Makes a stream of whatever calls an observer: the bridge from callbacks.
    ///
    /// ```swift
    /// Observable<String>.create { observer in
    ///     let request = load { text in observer.onNext(text); observer.onCompleted() }
    ///     return Disposables.create { request.cancel() }
    /// }
    /// // --(a|)
    /// ```
    ///
    /// `subscribe` runs for each subscriber. Its observer may be called from any thread and from inside observers: it is serial (law 2) and
    /// deaf after its terminal event and after the disposal. What `subscribe` returns is disposed at the end, however it comes. What is
    /// sent while an element is being delivered waits, as much of it as `overflow` allows; by default without bound. An element costs
    /// constant time. Source: [ReactiveX, Create](https://reactivex.io/documentation/operators/create.html).
    @inlinable @inline(__always)
    public static func create(
        overflow policy: BufferingPolicy = .unbounded, _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            guard policy == .unbounded else { return createBounded(policy, subscribe, downstream, lifetime) }
            let emitter = Emitter(downstream, parent: lifetime)
            guard emitter.attach() else { return }
            lifetime.add(subscribe(AnyObserver { event in emitter.on(event) }))
        }
    }

    /// Makes the stream when somebody subscribes, anew for each; a throw is the stream's error.
    ///
    /// ```swift
    /// Observable.deferred { Observable.just(Date()) }
    /// // (d|)
    /// ```
    ///
    /// `factory` runs while subscribing, where that happens. Source: [ReactiveX,
    /// Defer](https://reactivex.io/documentation/operators/defer.html).
    public static func deferred(_ factory: @escaping @Sendable () throws -> Observable<Element>) -> Observable<Element> {
        Observable { downstream, lifetime in
            let source: Observable<Element>
            do { source = try factory() } catch { return downstream.fail(with: error) }
            source.start(downstream, lifetime)
        }
    }

    /// Sends what `callable` returns and completes, or its error; runs it for each subscriber, while subscribing.
    ///
    /// ```swift
    /// Observable.fromCallable { try String(contentsOf: file, encoding: .utf8) }
    /// // (t|)
    /// ```
    ///
    /// Source: [ReactiveX, Start](https://reactivex.io/documentation/operators/start.html).
    public static func fromCallable(_ callable: @escaping @Sendable () throws -> Element) -> Observable<Element> {
        deferred { .just(try callable()) }
    }

    /// Makes a resource for each subscriber, a stream of it, and disposes the resource when that stream or the subscription ends.
    ///
    /// ```swift
    /// Observable.using({ try openFile() }, observableFactory: { file in file.lines })
    /// // --a--b--|
    /// // --a--b--|
    /// ```
    ///
    /// A throw in either closure is the stream's error. Both run while subscribing.
    /// Source: [ReactiveX, Using](https://reactivex.io/documentation/operators/using.html).
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        observableFactory: @escaping @Sendable (Resource) throws -> Observable<Element>
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            let source: Observable<Element>
            do {
                let resource = try resourceFactory()
                lifetime.add(resource)
                source = try observableFactory(resource)
            } catch { return downstream.onError(error) }
            source.start(downstream, lifetime)
        }
    }
}

/// The observer that `create` hands out: serial, and deaf once the stream or the subscription has ended.
@usableFromInline
final class Emitter<Element: Sendable>: LifetimeMember, @unchecked Sendable {
    /// The observer below, immutable so that it can be called without being retained.
    @usableFromInline
    final class Target: Sendable {
        @usableFromInline let handler: @Sendable (consuming Event<Element>) -> Void

        init(_ handler: @escaping @Sendable (consuming Event<Element>) -> Void) {
            self.handler = handler
        }
    }

    @usableFromInline let serializer = Serializer()
    /// Nil when the stream has ended: the captures below are freed then, also if the observer is kept. Law 2: inside the serializer only.
    @usableFromInline @exclusivity(unchecked) var target: Unmanaged<Target>?
    private let mark = Resources.Mark("Emitter")

    @usableFromInline
    init(_ downstream: AnyObserver<Element>, parent: Lifetime) {
        target = .passRetained(Target(downstream.handler))
        super.init(parent: parent)
    }

    deinit {
        target?.release()
    }

    @inlinable @inline(__always)
    func on(_ event: Event<Element>) {
        guard serializer.tryEnter() else { return serializer.enqueue { [self] in deliver(event) } }
        deliver(event)
        serializer.leave()
    }

    @inlinable @inline(__always)
    func deliver(_ event: Event<Element>) {
        guard isAlive, let target else { return }
        LockProbe.expectNoLock()
        target._withUnsafeGuaranteedRef { $0.handler(event) }
        if event.isStopEvent { releaseTarget() }
    }

    @usableFromInline
    func releaseTarget() {
        let target = self.target
        self.target = nil
        target?.release()
    }

    @usableFromInline
    override func tearDown() {
        serializer.enqueue { [self] in releaseTarget() }
    }
}
