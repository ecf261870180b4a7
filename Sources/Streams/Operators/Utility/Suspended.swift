import Schedulers

extension ObservableType {
    /// Suspends the sources of this stream while `suspension` is active.
    ///
    /// ```swift
    /// numbers.suspended(by: suspension)
    /// // --1--2--|
    /// // --1--2--|
    /// ```
    ///
    /// A source that can be suspended emits nothing meanwhile, and loses nothing. Elements of any other source, such as a subject, are
    /// buffered as `policy` allows. Terminal events follow the buffered elements. Source: [Reactive Streams, back
    /// pressure](https://www.reactive-streams.org).
    @inlinable
    public func suspended(by suspension: Suspension, overflow policy: BufferingPolicy = .standard) -> Observable<Element> {
        let (source, core) = (asObservable(), suspension.core)
        return Observable { downstream, lifetime in
            source.start(downstream, in: lifetime, suspendedBy: core, policy)
        }
    }

    /// Suspends the sources of this stream while the latest element of `isSuspended` is `true`.
    ///
    /// ```swift
    /// numbers.suspended(while: letters.map { $0 == "t" }, scheduler: scheduler)
    /// // numbers --1--2--3------4|
    /// // letters ---t-------f-----
    /// //         --1--------(23)4|        numbers is hot
    /// ```
    ///
    /// Unlike ``pausable(_:)`` it loses no element. A source that can be suspended emits nothing meanwhile; elements of any other source,
    /// such as a subject, are buffered as `policy` allows. Terminal events follow the buffered elements. The completion of `isSuspended`
    /// resumes the sources, its error is forwarded. Sources resume on `scheduler`, not where `isSuspended` emits: an observer may make it
    /// emit again. Source: [Reactive Streams, back pressure](https://www.reactive-streams.org).
    @inlinable
    public func suspended(
        while isSuspended: some ObservableConvertibleType<Bool>, overflow policy: BufferingPolicy = .standard,
        scheduler: any Scheduler
    ) -> Observable<Element> {
        let (source, isSuspended) = (asObservable(), isSuspended.asObservable())
        return Observable { downstream, lifetime in
            let serializer = SharedSerializer(lifetime)
            let emit: @Sendable (consuming Event<Element>) -> Void = { event in downstream.on(event) }
            let core = SuspensionCore(resumingOn: scheduler)
            isSuspended.subscribe(in: lifetime.independentChild()) { event in
                switch event {
                case .next(true): core.suspend()
                case .next(false), .completed: core.resume()
                case .error(let error): serializer.serialize(.error(error), emit)
                }
            }
            guard !lifetime.isDisposed else { return }
            let serialized = AnyObserver<Element>.receiving { event in serializer.serialize(event.take(), emit) }
            source.start(serialized, in: serializer.gate, suspendedBy: core, policy)
        }
    }
}

extension Observable {
    /// Starts this source in a child of `lifetime`, suspended by `core`; elements of a source that cannot be suspended are buffered.
    @inlinable
    func start(_ downstream: AnyObserver<Element>, in lifetime: Lifetime, suspendedBy core: SuspensionCore, _ policy: BufferingPolicy) {
        let suspended = core.gate(in: lifetime)
        start(queueing: policy, on: ImmediateScheduler.instance, in: suspended, followsDownstream: true, downstream)
    }
}
