import OperatorCatalogue
import StreamsTesting
import Synchronization
import Testing

/// The observer at the end of a chain under test: records the events and notices what must not happen.
final class LawObserver: Sendable {
    private struct State {
        var events: [Event<Int>] = []
        var late = 0
        var reaction: (@Sendable (Event<Int>) -> Void)?
    }

    private let state = Lock(State())
    private let inside = Atomic<Int>(0)
    private let overlaps = Atomic<Int>(0)
    private let isDisposed = Atomic<Bool>(false)
    private let user: UserCode

    init(_ user: UserCode) {
        self.user = user
    }

    var events: [Event<Int>] { state.withLock { $0.events } }

    var values: [Int] { events.compactMap(\.element) }

    var stopEvents: [Event<Int>] { events.filter(\.isStopEvent) }

    /// The events that began after the disposal had returned.
    var late: Int { state.withLock { $0.late } }

    /// The deliveries that began inside another, or beside it.
    var overlapping: Int { overlaps.load(ordering: .acquiring) }

    /// The work inside each delivery.
    func react(_ reaction: @escaping @Sendable (Event<Int>) -> Void) {
        state.withLock { $0.reaction = reaction }
    }

    /// From now on every event is late.
    func noteDisposal() {
        isDisposed.store(true, ordering: .releasing)
    }

    func on(_ event: Event<Probed>) {
        let isLate = isDisposed.load(ordering: .acquiring)
        if inside.add(1, ordering: .acquiringAndReleasing).oldValue > 0 { overlaps.add(1, ordering: .relaxed) }
        user.expectNoLock("the observer was called")
        let plain = event.map(\.value)
        let reaction = state.withLock { state in
            state.events.append(plain)
            if isLate { state.late += 1 }
            return state.reaction
        }
        reaction?(plain)
        inside.subtract(1, ordering: .acquiringAndReleasing)
    }

    /// Expects `next* (error | completed)?`.
    func expectGrammar(sourceLocation: SourceLocation = #_sourceLocation) {
        let all = events
        let stop = all.firstIndex { $0.isStopEvent } ?? all.endIndex
        #expect(stop >= all.count - 1, "\(all)", sourceLocation: sourceLocation)
    }
}
