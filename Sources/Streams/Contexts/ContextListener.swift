import Schedulers
import Synchronization

/// A listener of a context. It is called with one outcome at a time (law 2).
@usableFromInline final class ContextListener<Model: Sendable>: Sendable {
    /// The closure of the user, which is called with the outcomes of one kind.
    @usableFromInline enum Handler: Sendable {
        case completed(@Sendable (Model) -> Void)
        case failed(@Sendable (any Error) -> Void)
        case cancelled(@Sendable () -> Void)
        case deferred(@Sendable () -> Void)

        /// The place of the kind in the order in which listeners are called.
        @inlinable var place: Int {
            switch self {
            case .completed: 0
            case .failed: 1
            case .cancelled: 2
            case .deferred: 3
            }
        }
    }

    @usableFromInline let handler: Handler
    @usableFromInline let delivery: ScheduledDelivery?
    /// Busy while the stored outcome is delivered on the registering thread; outcomes accepted meanwhile are queued.
    @usableFromInline let serializer = Serializer()
    @usableFromInline let isClosed = Atomic<Bool>(false)
    private let mark = Resources.Mark("ContextListener")

    @inlinable init(_ handler: Handler, _ delivery: ScheduledDelivery?) {
        self.handler = handler
        self.delivery = delivery
        _ = serializer.tryEnter()
    }

    /// Calls the listener with the stored outcome, then with those accepted meanwhile; later ones are received directly.
    @inlinable func open(with stored: Outcome<Model>?) {
        if let stored { send(stored) }
        serializer.leave()
    }

    @inlinable @inline(never) func receive(_ outcome: Outcome<Model>) {
        guard serializer.tryEnter() else { return serializer.enqueue { [self] in send(outcome) } }
        send(outcome)
        serializer.leave()
    }

    /// Ends the listener: no further outcome is delivered to it.
    @inlinable func close() {
        isClosed.store(true, ordering: .relaxed)
    }

    @inlinable @inline(never) func send(_ outcome: Outcome<Model>) {
        guard let delivery else { return call(outcome) }
        delivery.run(isFinal: outcome.isCancelled) { [self] in call(outcome) }
    }

    @inlinable func call(_ outcome: Outcome<Model>) {
        guard !isClosed.load(ordering: .relaxed) else { return }
        LockProbe.expectNoLock()
        switch (handler, outcome) {
        case (.completed(let listener), .data(let model)): listener(model)
        case (.failed(let listener), .failure(let error)): listener(error)
        case (.cancelled(let listener), .cancelled): listener()
        case (.deferred(let listener), .data), (.deferred(let listener), .failure): listener()
        default: break
        }
    }
}
