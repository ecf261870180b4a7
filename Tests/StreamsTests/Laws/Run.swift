import OperatorCatalogue
import StreamsTesting
import Testing

/// One operator of the table, on upstreams of the test, under virtual time, received by a recorder.
final class Run: Sendable {
    let user = UserCode()
    let source: Tap
    let other: Tap
    let scheduler = VirtualTimeScheduler()
    let recorder: LawObserver
    private let row: OperatorRow
    private let observable: Observable<Probed>
    private let holder = SingleAssignmentDisposable()
    private let disposals = Lock(0)
    private let hasReturned = Lock(false)

    init(_ row: OperatorRow, source: Tap = Tap(), other: Tap = Tap()) {
        self.row = row
        self.source = source
        self.other = other
        recorder = LawObserver(user)
        observable = row.apply(
            Upstreams(source: source.observable, other: other.observable, user: user, scheduler: scheduler))
    }

    /// How often `onDisposed` ran.
    var disposedCalls: Int { disposals.withLock { $0 } }

    /// Subscribes, and lets the second pass after which every operator of the table has subscribed upstream.
    func subscribe() {
        holder.setDisposable(subscribe(recorder) { [self] in disposals.withLock { $0 += 1 } })
        hasReturned.withLock { $0 = true }
        pass()
    }

    func subscribe(_ recorder: LawObserver, onDisposed: (@Sendable () -> Void)? = nil) -> any Disposable {
        observable.subscribe(
            onNext: { recorder.on(.next($0)) }, onError: { recorder.on(.error($0)) },
            onCompleted: { recorder.on(.completed) }, onDisposed: onDisposed)
    }

    func next(_ value: Int) {
        source.send(.next(user.element(value)))
        pass()
    }

    func otherNext(_ value: Int) {
        other.send(.next(user.element(value)))
        pass()
    }

    func stop(_ event: Event<Probed>) {
        source.send(event)
        pass()
    }

    /// Ends both upstreams well.
    func complete() {
        stop(.completed)
        other.send(.completed)
        pass()
    }

    /// Lets enough time pass for every operator of the table to emit what it has buffered.
    func pass() {
        scheduler.advance(by: .seconds(2))
    }

    /// Whether the subscription has returned what disposes it.
    var isSubscribed: Bool { hasReturned.withLock { $0 } }

    func dispose() {
        holder.dispose()
        if isSubscribed { recorder.noteDisposal() }
    }

    /// Lets badly behaved upstreams go of whom they would never forget.
    func forgetUpstreams() {
        source.forget()
        other.forget()
    }

    /// Some elements on both upstreams.
    func feed() {
        otherNext(100)
        for value in 1...3 { next(value) }
        otherNext(101)
    }

    /// Expects what every run keeps, however it ended.
    func expectLaws(sourceLocation: SourceLocation = #_sourceLocation) {
        recorder.expectGrammar(sourceLocation: sourceLocation)
        #expect(recorder.overlapping == 0, "deliveries overlap", sourceLocation: sourceLocation)
        #expect(recorder.late == 0, "delivered after the disposal", sourceLocation: sourceLocation)
        #expect(user.violations == [], "happened under a lock", sourceLocation: sourceLocation)
    }

    /// Expects that nothing of the subscription is left.
    func expectReleased(sourceLocation: SourceLocation = #_sourceLocation) {
        let mayStay = row.traits.contains(.staysConnected)
        if mayStay { source.send(.completed) }
        #expect(mayStay || source.isLetGo, "\(source.disposals) of \(source.subscriptions)", sourceLocation: sourceLocation)
        #expect(other.isLetGo, "\(other.disposals) of \(other.subscriptions)", sourceLocation: sourceLocation)
        #expect(disposedCalls == 1, "onDisposed", sourceLocation: sourceLocation)
        #expect(scheduler.isIdle, "something is still scheduled", sourceLocation: sourceLocation)
    }
}
