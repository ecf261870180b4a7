import StreamsTesting

/// A subscriber that can suspend its sources: the end of a chain, with a gate of its own.
final class GatedSubscriber: Sendable {
    let gate = Gate()
    private let state = Lock<[Event<Int>]>([])
    private let closesAtElements: Bool
    private let receive: @Sendable (Event<Int>) -> Void

    /// - Parameters:
    ///   - closesAtElements: whether it suspends its sources with each element.
    ///   - receive: called with each event.
    init(closesAtElements: Bool = false, _ receive: @escaping @Sendable (Event<Int>) -> Void = { _ in }) {
        self.closesAtElements = closesAtElements
        self.receive = receive
    }

    var events: [Event<Int>] { state.withLock { $0 } }
    var elements: [Int] { events.compactMap(\.element) }
    var isTerminated: Bool { events.last?.isStopEvent ?? false }
    var error: (any Error)? { events.last?.error }

    func subscribe(to source: Observable<Int>) {
        source.subscribe(in: gate) { [self] event in
            state.withLock { $0.append(event) }
            if closesAtElements, !event.isStopEvent { gate.suspend() }
            receive(event)
        }
    }

    /// Resumes as often as needed.
    func resumeUntilTerminated() {
        while !isTerminated { gate.resume().perform() }
    }
}
