// Calls with arguments that streams do not take, so that the compiler can say which they take.

import Schedulers

extension BindableType {
    /// An observer of elements of another type.
    @available(*, unavailable, message: "the observer takes elements of another type: map this stream to that type first")
    public func bind<Receiver: ObserverType>(to observer: Receiver) -> any Disposable { unavailable() }
}

extension ObservableType {
    /// A handler of one type of errors.
    @available(*, unavailable, message: "a stream may fail with any error: use catch(as:_:) for errors of one type")
    public func `catch`<Failure: Error>(
        _ handler: @escaping @Sendable (Failure) throws -> Observable<Element>
    ) -> Observable<Element> { unavailable() }

    /// A delay without a policy.
    @available(*, unavailable, message: "a delay belongs to a policy: retry(.delay(.seconds(1), maxAttempts: 3))")
    public func retry(_ maxAttempts: Int, delay: Duration, scheduler: (any Scheduler)? = nil) -> Observable<Element> { unavailable() }

    /// A delay without a policy.
    @available(*, unavailable, message: "a delay belongs to a policy: retry(.delay(.seconds(1), maxAttempts: 3))")
    public func retry(_ delay: Duration) -> Observable<Element> { unavailable() }

    /// A scheduler without a delay.
    @available(
        *, unavailable, message: "attempts without delays need no scheduler; with delays: retry(.delay(.seconds(1), maxAttempts: 3))"
    )
    public func retry(_ maxAttempts: Int, scheduler: any Scheduler) -> Observable<Element> { unavailable() }

    /// A stream that follows the end of another whose elements do not matter.
    @available(*, unavailable, message: "a completable is followed: write ignoreElements().asCompletable().andThen(_:)")
    public func andThen<Next: ObservableConvertibleType>(_ second: Next) -> Observable<Next.Element> { unavailable() }

    /// The value of a stream, of which there may be any number.
    @available(*, unavailable, message: "any number of elements may follow: await firstElement(), or keep the latest in a BehaviorRelay")
    public var value: Element { unavailable() }
}
