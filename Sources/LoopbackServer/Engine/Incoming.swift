import Streams

/// The elements that a client sends to a route while the route consumes them, for one subscriber at a time.
///
/// While the subscriber is suspended nothing is taken from the connection, which is then read no further.
///
/// `@unchecked Sendable`: all state is confined to the server's queue.
final class Incoming<Element: Sendable>: @unchecked Sendable {
    private enum Phase {
        case arriving
        case ended(Event<Element>)
    }

    private let queue: ServerQueue
    /// Continues to take elements.
    private let resume: @Sendable () -> Void
    private var phase = Phase.arriving
    private var subscriber: Outlet<Element>?

    /// - Parameter resume: called on the queue.
    init(_ queue: ServerQueue, resume: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.resume = resume
    }

    /// Whether everything has been taken, or the remaining elements will not arrive.
    var hasEnded: Bool { if case .ended = phase { true } else { false } }

    var hasSubscriber: Bool { subscriber != nil }

    /// Whether the subscriber can take the next element; after a suspension, only once `resume` was called.
    var isAwaited: Bool {
        guard !hasEnded, let subscriber else { return false }
        return !subscriber.isParked && subscriber.lifetime.mayEmit
    }

    /// The elements, for one subscriber at a time. The next subscriber continues where the last one was, and the last one receives nothing
    /// more.
    var elements: Observable<Element> {
        Observable { [self] downstream, lifetime in
            let subscriber = Outlet(downstream, lifetime)
            queue.run { [self] in begin(subscriber) }
            lifetime.add { [self] in queue.run { [self] in end(subscriber) } }
        }
    }

    private func begin(_ next: Outlet<Element>) {
        if case .ended(let event) = phase { return next.deliver(event) }
        subscriber = next
        resume()
    }

    private func end(_ last: Outlet<Element>) {
        guard subscriber === last else { return }
        subscriber = nil
        resume()
    }

    /// Emits at once, also while the subscriber is suspended: an element that waited in its outlet would be lost with it.
    func emit(_ element: Element) {
        subscriber?.deliver(.next(element), urgently: true)
    }

    /// Calls `resume` when the suspended subscriber can take the next element.
    func park() {
        guard !hasEnded, let subscriber else { return }
        subscriber.park { [self] in
            // Never at once: the connection may be taking received elements.
            queue.runLater { [self] in
                subscriber.didResume()
                resume()
            }
        }
    }

    func finish(with event: Event<Element>) {
        guard !hasEnded else { return }
        phase = .ended(event)
        // Behind an element that is being delivered: the subscriber itself may have closed the connection.
        subscriber.take()?.deliver(event)
    }
}
