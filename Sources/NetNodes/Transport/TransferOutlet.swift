import Streams
import Synchronization

/// The outlet through which a transport delivers the events of one transfer: to its subscriber, or, while that is suspended, to a queue.
///
/// Sound: everything except `terminate` is confined to the thread or queue of the transport that emits the events.
package final class TransferOutlet: @unchecked Sendable {
    package typealias Event = Result<TransferEvent, TransportError>

    private let lifetime: Lifetime
    private let isStreamed: Bool
    private let receive: @Sendable (Event) -> Void
    private let counting = ResourceCounting()
    private let ended = Atomic(false)
    @exclusivity(unchecked) private var waiting: [Event] = []
    /// The index of the next event.
    @exclusivity(unchecked) private var next = 0
    /// Whether the transfer waits until its subscriber is no longer suspended: nothing is read, and no time counts as idle.
    @exclusivity(unchecked) package private(set) var isParked = false
    /// The number of bytes of the body that are on their way to the subscriber.
    @exclusivity(unchecked) package var undelivered = 0

    /// - Parameters:
    ///   - lifetime: the lifetime of the subscription.
    ///   - isStreamed: whether the body is emitted while it is received. Otherwise it is read even while the subscriber is suspended: a
    ///     response that is read only half would occupy a connection, and the subscriber may wait for other requests that wait for the
    ///     connection.
    ///   - receive: receives the events, unless the subscription is disposed; `end` and an error are the last.
    package init(_ lifetime: Lifetime, isStreamed: Bool, _ receive: @escaping @Sendable (Event) -> Void) {
        self.lifetime = lifetime
        self.isStreamed = isStreamed
        self.receive = receive
    }

    /// Whether the last event has been delivered, or the transfer needs no more events.
    package var isTerminated: Bool { ended.load(ordering: .acquiring) }

    /// Terminates, from any thread, and returns whether this call did so: dispose and the last event race for it.
    package func terminate() -> Bool {
        !ended.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Delivers an event, after those that wait. An error does not wait for a suspended subscriber.
    package func deliver(_ event: Event) {
        guard next == waiting.count, lifetime.mayEmit else {
            append(event)
            return deliverWaiting()
        }
        emit(event)
    }

    /// Delivers the queued events, until the subscriber is suspended.
    package func deliverWaiting() {
        while next < waiting.count, lifetime.mayEmit || waiting[next].isFailure {
            let event = waiting[next]
            waiting[next] = .success(.sent)
            next += 1
            if next == waiting.count { (waiting, next) = ([], 0) }
            emit(event)
        }
    }

    private func append(_ event: Event) {
        guard !isTerminated else { return }
        // The latest progress of an upload is enough.
        if next < waiting.count, case .success(.progress) = event, case .success(.progress)? = waiting.last { waiting.removeLast() }
        waiting.append(event)
    }

    private func emit(_ event: Event) {
        if case .success(.chunk(let data)) = event { undelivered -= data.count }
        guard event.isTerminal ? terminate() : !isTerminated, !lifetime.isDisposed else { return }
        counting { receive(event) }
    }

    /// Whether the subscriber is suspended, and events are or can be received for it, so that the transfer has to park. This is also true
    /// if the subscriber was resumed since its events were queued: parking then resumes at once.
    package var mustPark: Bool {
        !isParked && !isTerminated && (next < waiting.count || isStreamed && lifetime.isSuspended)
    }

    /// Parks the transfer until its subscriber is no longer suspended; then `resume` is called once, on any thread.
    package func park(_ resume: @escaping @Sendable () -> Void) {
        isParked = true
        lifetime.whenResumed {
            resume()
        }
    }

    /// Ends the pause, after `resume` was called, and delivers the queued events.
    package func didResume() {
        isParked = false
        deliverWaiting()
    }
}

extension TransferOutlet.Event {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }

    fileprivate var isTerminal: Bool {
        switch self {
        case .success(.end), .failure: true
        case .success: false
        }
    }
}

extension AnyObserver<TransferEvent> {
    /// Receives an event of a transfer, of which `end` and an error are the last.
    package func receive(_ event: TransferOutlet.Event) {
        switch event {
        case .success(let event):
            onNext(event)
            if case .end = event { onCompleted() }
        case .failure(let error): onError(error)
        }
    }
}
