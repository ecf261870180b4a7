import OperatorCatalogue
import StreamsTesting
import Testing

@Suite("Law 8, nothing leaks", .onOneThread, .countsResources)
struct LeakLaw {
    /// How a subscription can end.
    enum Ending: String, CaseIterable, Sendable {
        case completes, fails, isDisposed, isDisposedInsideNext, isDisposedWhileWaiting
    }

    @Test(
        arguments: operatorTable,
        Ending.allCases)
    func `What the chain and the observer hold is freed at the end, also while the disposable is held`(row: OperatorRow, ending: Ending) {
        let (source, other) = (Tap(), Tap())
        let scheduler = VirtualTimeScheduler()
        weak var chain: UserCode?
        weak var observer: Token?
        let holder = SingleAssignmentDisposable()
        do {
            let user = UserCode()
            let token = Token()
            (chain, observer) = (user, token)
            let upstreams = Upstreams(source: source.observable, other: other.observable, user: user, scheduler: scheduler)
            holder.setDisposable(
                row.apply(upstreams).subscribe(
                    onNext: { [weak holder] _ in
                        withExtendedLifetime(token) {}
                        if ending == .isDisposedInsideNext { holder?.dispose() }
                    }, onError: { _ in withExtendedLifetime(token) {} }, onCompleted: { withExtendedLifetime(token) {} },
                    onDisposed: { withExtendedLifetime(token) {} }))
        }
        scheduler.advance(by: .seconds(2))
        func send(_ tap: Tap, _ value: Int) {
            tap.send(.next(Probed(value)))
            if ending != .isDisposedWhileWaiting { scheduler.advance(by: .seconds(2)) }
        }
        send(other, 100)
        send(source, 1)
        send(other, 101)
        send(source, 2)
        if ending == .completes || ending == .fails {
            source.send(ending == .fails ? .error(TestError.failed) : .completed)
            scheduler.advance(by: .seconds(2))
            other.send(.completed)
            scheduler.advance(by: .seconds(2))
        }
        if row.traits.contains(.endless) || row.traits.contains(.resubscribes) || ending.rawValue.hasPrefix("isDisposed") {
            holder.dispose()
        }
        #expect(chain == nil, "the chain's closures are still held")
        #expect(observer == nil, "the observer is still held")
        holder.dispose()
        if row.traits.contains(.staysConnected) { source.send(.completed) }
    }

    private final class Token: Sendable {}
}
