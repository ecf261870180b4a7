import Dispatch
import StreamsTesting
import SystemSources

/// How long a test waits for something that always happens; the bound only ends a hang.
let bound = Duration.seconds(600)

/// The events of one subscription, taken one after the other as they arrive.
final class Arrivals<Element: Sendable>: Sendable {
    private final class Queue: Sendable {
        let events = Lock<[Event<Element>]>([])
        let arrived = DispatchSemaphore(value: 0)
        let isTerminated = Lock(false)
    }

    private let queue = Queue()
    private let gate = Gate()

    /// Subscribes. From `suspension` on, an index, each element suspends the source until `resume()`.
    init(_ source: Observable<Element>, suspendedFrom suspension: Int = .max) {
        let count = Lock(0)
        source.subscribe(in: gate) { [queue, gate] event in
            let index = count.withLock { count in
                defer { count += 1 }
                return count
            }
            if !event.isStopEvent, index >= suspension { gate.suspend() }
            queue.events.withLock { $0.append(event) }
            queue.arrived.signal()
        }
    }

    deinit { gate.dispose() }

    func suspend() { gate.suspend() }

    func resume() { gate.resume().perform() }

    /// How many elements have arrived and not been taken.
    var count: Int { queue.events.withLock { $0.count { !$0.isStopEvent } } }

    /// Waits for the next event; `nil` behind the terminal event, and if there is none within the bound.
    func next() -> Event<Element>? {
        guard !queue.isTerminated.withLock({ $0 }), queue.arrived.wait(timeout: .now() + .seconds(600)) == .success else { return nil }
        let event = queue.events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let event, event.isStopEvent { queue.isTerminated.withLock { $0 = true } }
        return event
    }

    /// Waits for that many elements; fewer if the stream terminates before.
    func elements(_ count: Int) -> [Element] {
        var elements: [Element] = []
        while elements.count < count, let element = next()?.element { elements.append(element) }
        return elements
    }

    func dispose() { gate.dispose() }
}

/// Runs `body`, and waits until what it has created is released, also by other threads.
func expectNothingLeft<Result>(of body: @autoclosure () -> Result) -> Result {
    var result: Result?
    expectNothingLeft(within: bound) { result = body() }
    guard let result else { preconditionFailure("the body was not run") }
    return result
}
