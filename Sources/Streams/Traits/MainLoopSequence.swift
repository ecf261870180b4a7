import Schedulers

extension TraitKind {
    /// A kind whose streams are delivered on the main loop.
    public protocol OnMainLoop: CannotFail {}
}

extension TraitKind.OnMainLoop {
    @inlinable
    public static func deliver<Element>(_ shared: Observable<Element>) -> Observable<Element> {
        shared.observe(on: MainLoopDelivery.scheduler)
    }
}

/// The place where drivers and signals are delivered: the main loop, or the scheduler with which a test replaces it.
@usableFromInline
package enum MainLoopDelivery {
    /// The scheduler of the running test.
    @TaskLocal package static var mock: (any Scheduler)?

    /// The scheduler for streams that are built or subscribed to now.
    @usableFromInline static var scheduler: any Scheduler { mock ?? MainScheduler.instance }
}

extension InfallibleSequence where Kind: TraitKind.OnMainLoop {
    /// Emits an element when none has followed it for `dueTime`, measured on the main loop.
    @inlinable
    public func debounce(_ dueTime: Duration) -> Self {
        Self(infallible: asObservable().debounce(dueTime, scheduler: MainLoopDelivery.scheduler))
    }

    /// Emits an element and then nothing for `dueTime`. With `latest`, the last skipped element is emitted at the end of that time.
    @inlinable
    public func throttle(_ dueTime: Duration, latest: Bool = true) -> Self {
        Self(infallible: asObservable().throttle(dueTime, latest: latest, scheduler: MainLoopDelivery.scheduler))
    }

    /// Emits each element, and the completion, `dueTime` later.
    @inlinable
    public func delay(_ dueTime: Duration) -> Self {
        Self(infallible: asObservable().delay(dueTime, scheduler: MainLoopDelivery.scheduler))
    }
}

extension InfallibleSequence where Kind: TraitKind.OnMainLoop {
    /// Subscribes closures that run on the main loop as main-actor code.
    @inlinable
    func subscribeOnMain(
        _ onNext: (@MainActor @Sendable (Element) -> Void)?,
        _ onCompleted: (@MainActor @Sendable () -> Void)?,
        _ onDisposed: (@Sendable () -> Void)?
    ) -> any Disposable {
        asObservable().subscribe(
            onNext: { element in
                MainScheduler.runOnMainActor { onNext?(element) }
            },
            onCompleted: {
                MainScheduler.runOnMainActor { onCompleted?() }
            },
            onDisposed: onDisposed)
    }

    /// Subscribes closures that receive `object`, captured weakly.
    @inlinable
    func subscribeOnMain<Object: AnyObject & Sendable>(
        with object: Object,
        _ onNext: (@MainActor @Sendable (Object, Element) -> Void)?,
        _ onCompleted: (@MainActor @Sendable (Object) -> Void)?,
        _ onDisposed: (@Sendable (Object) -> Void)?
    ) -> any Disposable {
        subscribeOnMain(
            { [weak object] element in
                if let object { onNext?(object, element) }
            },
            { [weak object] in
                if let object { onCompleted?(object) }
            },
            weakly(object, onDisposed))
    }
}
