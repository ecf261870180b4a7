import Schedulers

extension Observable {
    /// Creates a stream from calls of an observer: the bridge from callbacks.
    ///
    /// ```swift
    /// Observable<String>.create { observer in
    ///     let request = load { text in observer.onNext(text); observer.onCompleted() }
    ///     return Disposables.create { request.cancel() }
    /// }
    /// // --(a|)
    /// ```
    ///
    /// `subscribe` is called for each subscriber. Its observer may be called from any thread and from within observers: it is serialized
    /// (law 2) and ignores events after its terminal event and after the disposal. The disposable returned by `subscribe` is disposed on
    /// termination. Elements emitted while another is being delivered are buffered as `overflow` allows; by default without bound. O(1) for
    /// each element.
    ///
    /// Source: [ReactiveX, Create](https://reactivex.io/documentation/operators/create.html).
    @inlinable @inline(__always)
    public static func create(
        overflow policy: BufferingPolicy = .unbounded, _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable
    ) -> Observable<Element> {
        Observable { downstream, lifetime in
            guard policy == .unbounded else {
                let queue = DrainQueue(policy, on: ImmediateScheduler.instance, parent: lifetime, downstream)
                guard queue.attach() else { return }
                return lifetime.add(subscribe(.receiving { event in queue.send(event.take()) }))
            }
            let emitter = Emitter(downstream, parent: lifetime)
            guard emitter.attach() else { return }
            lifetime.add(subscribe(.receiving { event in emitter.on(event.take()) }))
        }
    }

    /// Creates the stream anew for each subscriber; fails if `factory` throws.
    ///
    /// ```swift
    /// Observable.deferred { Observable.just(Date()) }
    /// // (d|)
    /// ```
    ///
    /// `factory` is called on the subscribing thread. Source: [ReactiveX, Defer](https://reactivex.io/documentation/operators/defer.html).
    @inlinable
    public static func deferred(_ factory: @escaping @Sendable () throws -> Observable<Element>) -> Observable<Element> {
        // This does without `made`, which would need one more closure: a request passes through several of them.
        Observable { downstream, lifetime in
            guard !lifetime.isDisposed else { return }
            let source: Observable<Element>
            do { source = try factory() } catch { return downstream.fail(with: error) }
            source.start(downstream, lifetime)
        }
    }

    /// Emits the result of `callable` and completes, or fails if it throws; `callable` runs for each subscriber, while subscribing.
    ///
    /// ```swift
    /// Observable.fromCallable { try String(contentsOf: file, encoding: .utf8) }
    /// // (t|)
    /// ```
    ///
    /// Source: [ReactiveX, Start](https://reactivex.io/documentation/operators/start.html).
    @inlinable
    public static func fromCallable(_ callable: @escaping @Sendable () throws -> Element) -> Observable<Element> {
        deferred { .just(try callable()) }
    }

    /// Creates a resource and a stream for each subscriber, and disposes the resource when the stream terminates or is disposed.
    ///
    /// ```swift
    /// Observable.using({ try openFile() }, observableFactory: { file in file.lines })
    /// // --a--b--|
    /// // --a--b--|
    /// ```
    ///
    /// Fails if either closure throws. Both are called while subscribing.
    /// Source: [ReactiveX, Using](https://reactivex.io/documentation/operators/using.html).
    @inlinable
    public static func using<Resource: Disposable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        observableFactory: @escaping @Sendable (Resource) throws -> Observable<Element>
    ) -> Observable<Element> {
        made { lifetime in
            let resource = try resourceFactory()
            lifetime.add(resource)
            return try observableFactory(resource)
        }
    }

    /// Subscribes to the stream that `make` returns for the lifetime of a subscription; fails if it throws.
    @inlinable
    static func made(by make: @escaping @Sendable (Lifetime) throws -> Observable<Element>) -> Observable<Element> {
        Observable { downstream, lifetime in
            guard !lifetime.isDisposed else { return }
            let source: Observable<Element>
            do { source = try make(lifetime) } catch { return downstream.fail(with: error) }
            source.start(downstream, lifetime)
        }
    }
}
