// Names of RxTest under which nothing is declared here, so that the compiler can say what to write instead.

extension TestScheduler {
    /// RxTest's initializer.
    @available(*, unavailable, message: "time begins at zero: TestScheduler()")
    public convenience init(initialClock: Int) { unavailable() }

    /// RxTest's `createObserver(_:)`.
    @available(*, unavailable, renamed: "observer(of:)")
    public func createObserver<Element>(_ type: Element.Type) -> TestObserver<Element> { unavailable() }

    /// RxTest's `createHotObservable(_:)`.
    @available(*, unavailable, renamed: "hot(_:)")
    public func createHotObservable<Element>(_ events: [Recorded<Element>]) -> HotTestObservable<Element> { unavailable() }

    /// RxTest's `createColdObservable(_:)`.
    @available(*, unavailable, renamed: "cold(_:)")
    public func createColdObservable<Element>(_ events: [Recorded<Element>]) -> ColdTestObservable<Element> { unavailable() }

    /// RxTest's `scheduleAt(_:action:)`.
    @available(*, unavailable, renamed: "schedule(at:_:)")
    public func scheduleAt(_ time: Int, action: @escaping @Sendable () -> Void) { unavailable() }

    /// RxTest's `start()`.
    @available(*, unavailable, renamed: "run()")
    public func start() { unavailable() }
}
