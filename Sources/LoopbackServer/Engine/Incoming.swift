import Streams

/// The elements that a client sends to a route while the route consumes them, for one subscriber at a time.
///
/// While the subscriber is suspended nothing is taken from the connection, which is then read no further.
///
/// `@unchecked Sendable`: all state is confined to the server's queue.
final class Incoming<Element: Sendable>: @unchecked Sendable {
    private struct Subscriber {
        let observer: AnyObserver<Element>
        let lifetime: Lifetime
    }

    private enum Phase {
        case arriving
        case ended(Event<Element>)
    }

    private let queue: ServerQueue
    /// Continues to take elements.
    private let resume: @Sendable () -> Void
    private var phase = Phase.arriving
    private var subscriber: Subscriber?
    private var isParked = false
    private var isEmitting = false

    /// - Parameter resume: called on the queue.
    init(_ queue: ServerQueue, resume: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.resume = resume
    }

    /// Whether everything has been taken, or the remaining elements will not arrive.
    var hasEnded: Bool { if case .ended = phase { true } else { false } }

    var hasSubscriber: Bool { subscriber != nil }

    /// Whether the subscriber can take the next element; after a suspension, only once `resume` was called.
    var isAwaited: Bool { !hasEnded && !isParked && subscriber?.lifetime.mayEmit ?? false }

    /// The elements, for one subscriber at a time. The next subscriber continues where the last one was, and the last one receives nothing
    /// more.
    var elements: Observable<Element> {
        Observable { [self] downstream, lifetime in
            let subscriber = Subscriber(observer: downstream, lifetime: lifetime)
            queue.run { [self] in begin(subscriber) }
            lifetime.add { [self] in queue.run { [self] in end(subscriber) } }
        }
    }

    private func begin(_ next: Subscriber) {
        if case .ended(let event) = phase { return next.observer.on(event) }
        subscriber = next
        isParked = false
        resume()
    }

    private func end(_ last: Subscriber) {
        guard subscriber?.lifetime === last.lifetime else { return }
        (subscriber, isParked) = (nil, false)
        resume()
    }

    func emit(_ element: Element) {
        isEmitting = true
        subscriber?.observer.onNext(element)
        isEmitting = false
        // The subscriber itself may have closed the connection.
        if case .ended(let event) = phase { subscriber.take()?.observer.on(event) }
    }

    /// Calls `resume` when the suspended subscriber can take the next element.
    func park() {
        guard !hasEnded, !isParked, let lifetime = subscriber?.lifetime else { return }
        isParked = true
        lifetime.whenResumed { [self] in
            // Never at once: the connection may be taking received elements.
            queue.runLater { [self] in
                isParked = false
                resume()
            }
        }
    }

    func finish(with event: Event<Element>) {
        guard !hasEnded else { return }
        phase = .ended(event)
        if !isEmitting { subscriber.take()?.observer.on(event) }
    }
}
