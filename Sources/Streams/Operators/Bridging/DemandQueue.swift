import Schedulers

/// Delivers the events of a stream to a consumer that demands elements: one at a time, in order, and never more than it demanded.
///
/// Further elements are buffered as the policy defines. The terminal event follows them and needs no demand. Thread-safe.
final class DemandQueue<Element: Sendable>: Sendable {
    /// Receives an event, and returns how many further elements it demands.
    typealias Receiver = @Sendable (Event<Element>) -> Int

    private struct State {
        var buffer: GatedBuffer<Element>
        /// The number of elements that are demanded; `Int.max` means no limit.
        var demand = 0
        var receiver: Receiver?

        mutating func add(_ further: Int) {
            let (sum, isTooMuch) = demand.addingReportingOverflow(further)
            demand = isTooMuch ? .max : sum
        }

        /// Takes the next event that can be delivered: a demanded element, or the terminal event.
        mutating func next() -> (Receiver, Event<Element>)? {
            guard let receiver else { return nil }
            if demand > 0, let element = buffer.popFirst() {
                demand -= demand == .max ? 0 : 1
                return (receiver, .next(element))
            }
            guard buffer.count == 0, let stop = buffer.stop.take() else { return nil }
            self.receiver = nil
            return (receiver, stop.terminal())
        }
    }

    // Law 3: under the lock neither an event nor the receiver is released, and no user code runs.
    private let state: Lock<State>
    private let serializer = Serializer()
    private let gate: Gate
    private let mark = Resources.Mark("DemandQueue")

    init(_ policy: BufferingPolicy, _ receiver: @escaping Receiver) {
        gate = Gate()
        state = Lock(State(buffer: GatedBuffer(policy, suspending: gate), receiver: receiver))
    }

    func subscribe(to source: Observable<Element>) {
        source.subscribe(in: gate) { [self] event in
            let effect = state.withLock { $0.buffer.append(event) }
            if !effect.perform() { gate.dispose() }
            deliver()
        }
    }

    /// Demands further elements.
    func request(_ count: Int) {
        state.withLock { $0.add(count) }
        deliver()
    }

    /// Disposes the source; the buffered elements are dropped.
    func cancel() {
        gate.dispose()
        // Passed out of the lock: releasing the elements and the receiver may run user code.
        _ = state.withLock { state in (state.receiver.take(), state.buffer.removeAll()) }
    }

    private func deliver() {
        serializer.enqueue { [self] in
            while let (receiver, event) = state.withLock({ $0.next() }) {
                let further = receiver(event)
                state.withLock { $0.add(further) }
            }
        }
        resumeSource()
    }

    /// Resumes the source when everything that is buffered has been delivered: outside the serializer.
    private func resumeSource() {
        guard gate.isClosed else { return }
        state.withLock { $0.buffer.open() }.perform()
    }
}
