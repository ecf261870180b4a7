import Streams
import Synchronization

/// The outlet through which a transport delivers the events of one transfer: to its subscriber, or, while that is suspended, to a queue. The
/// latest progress of an upload is enough.
///
/// Sound: everything except `terminate` is confined to the thread or queue of the transport that emits the events.
package final class TransferOutlet: Sendable {
    package typealias Event = Result<TransferEvent, TransportError>

    private let outlet: Outlet<TransferEvent>
    private let isStreamed: Bool
    private let state = State()

    /// The state that the outlet and its observer share, without the observer retaining the outlet.
    private final class State: @unchecked Sendable {
        /// The last event has been delivered, or is not needed: dispose and that event race for it.
        private let reached = Atomic(false)
        // Law 2: accessed by whoever delivers.
        @exclusivity(unchecked) var undelivered = 0

        var isReached: Bool { reached.load(ordering: .acquiring) }

        /// Returns whether this call is the first.
        func reach() -> Bool { !reached.exchange(true, ordering: .acquiringAndReleasing) }
    }

    /// - Parameters:
    ///   - downstream: receives the events, unless the subscription is disposed; completes after `end`.
    ///   - isStreamed: whether the body is emitted while it is received. Otherwise it is read even while the subscriber is suspended: a
    ///     response that is read only half would occupy a connection, and the subscriber may wait for other requests that wait for the
    ///     connection.
    package init(_ downstream: AnyObserver<TransferEvent>, _ lifetime: Lifetime, isStreamed: Bool) {
        self.isStreamed = isStreamed
        let observer = AnyObserver<TransferEvent>.receiving { [state] event in
            let event = event.take()
            if case .next(.chunk(let data)) = event { state.undelivered -= data.count }
            guard event.isLast ? state.reach() : !state.isReached else { return }
            let isComplete = !event.isStopEvent && event.isLast
            downstream.on(event)
            if isComplete { downstream.onCompleted() }
        }
        outlet = Outlet(observer, lifetime)
    }

    /// The number of bytes of the body that are on their way to the subscriber.
    package var undelivered: Int {
        get { state.undelivered }
        set { state.undelivered = newValue }
    }

    /// Whether the last event has been delivered, or the transfer needs no more events.
    package var isTerminated: Bool { state.isReached }

    /// Terminates, from any thread, and returns whether this call did so.
    package func terminate() -> Bool { state.reach() }

    /// Delivers an event, of which `end` and an error are the last, after those that wait.
    package func deliver(_ event: Event) {
        guard !isTerminated else { return }
        switch event {
        case .success(let event): outlet.deliver(.next(event)) { event.isProgress && $0.isProgress }
        case .failure(let error): outlet.deliver(.error(error))
        }
    }

    /// Whether the transfer waits until its subscriber is no longer suspended: nothing is read, and no time counts as idle.
    package var isParked: Bool { outlet.isParked }

    /// Whether the subscriber is suspended, and events are or can be received for it, so that the transfer has to park. This is also true
    /// if the subscriber was resumed since its events were queued: parking then resumes at once.
    package var mustPark: Bool {
        !isParked && !isTerminated && (outlet.hasWaiting || isStreamed && outlet.lifetime.isSuspended)
    }

    /// Parks the transfer until its subscriber is no longer suspended; then `resume` is called once, on any thread.
    package func park(_ resume: @escaping @Sendable () -> Void) { outlet.park(resume) }

    /// Ends the pause, after `resume` was called, and delivers the queued events.
    package func didResume() { outlet.didResume() }
}

extension Event<TransferEvent> {
    fileprivate var isLast: Bool { if case .next(.end) = self { true } else { isStopEvent } }
}

extension TransferEvent {
    fileprivate var isProgress: Bool { if case .progress = self { true } else { false } }
}
