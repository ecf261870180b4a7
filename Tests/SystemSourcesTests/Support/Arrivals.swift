import Dispatch
import StreamsTesting
import SystemSources

/// How long a test waits for something that always happens; the bound only ends a hang.
let bound = Duration.seconds(600)

extension ObservableConvertibleType {
    /// All elements, and the error if there is one.
    func outcome() -> (elements: [Element], error: (any Error)?) {
        toBlocking(timeout: bound).materialize()
    }
}

/// The events of one subscription, taken one after the other as they arrive.
final class Arrivals<Element: Sendable>: Sendable {
    private final class Queue: Sendable {
        let events = Lock<[Event<Element>]>([])
        let arrived = DispatchSemaphore(value: 0)
    }

    private let queue = Queue()
    private let subscription = SerialDisposable()

    init(_ source: Observable<Element>) {
        subscription.disposable = source.subscribe { [queue] event in
            queue.events.withLock { $0.append(event) }
            queue.arrived.signal()
        }
    }

    deinit { subscription.dispose() }

    /// Waits for the next event; `nil` if there is none within the bound.
    func next() -> Event<Element>? {
        guard queue.arrived.wait(timeout: .now() + .seconds(600)) == .success else { return nil }
        return queue.events.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    /// Waits for that many elements; fewer if the stream terminates before.
    func elements(_ count: Int) -> [Element] {
        var elements: [Element] = []
        while elements.count < count, let element = next()?.element { elements.append(element) }
        return elements
    }

    func dispose() { subscription.dispose() }
}

/// Runs `body`, and waits until what it has created is released, also by other threads.
func expectNothingLeft<Result>(of body: @autoclosure () -> Result) -> Result {
    var result: Result?
    expectNothingLeft(within: bound) { result = body() }
    guard let result else { preconditionFailure("the body was not run") }
    return result
}
