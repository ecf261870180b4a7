import Schedulers
import Synchronization

/// Decides when a subscription may start: at once, later, or not at all.
@usableFromInline
protocol PermitIssuer: AnyObject, Sendable {
    /// Whether a request may expire in its queue.
    var limitsQueueTime: Bool { get }

    /// Grants, queues or rejects a request.
    func receive(_ request: PermitRequest)

    /// Takes a request or its permit back, once, when the subscription has terminated or was disposed. Returns the request that is granted
    /// the permit instead; the caller begins it.
    func free(_ request: PermitRequest) -> PermitRequest?

    /// The metrics as text.
    var figures: String { get }
}

/// A subscription's request for a permit, and then its permit, until the subscription ends.
@usableFromInline
final class PermitRequest: LifetimeMember, @unchecked Sendable {
    enum Stage {
        case requested
        /// The request is in the queue of the issuer, under this ticket.
        case queued(ticket: Int)
        case granted
        case over
    }

    /// Law 3: accessed only under the issuer's lock.
    var stage = Stage.requested
    /// The phase of a request, by which the call that starts the source and the disposal learn of each other.
    private enum Phase: Int, AtomicRepresentable {
        case waiting, starting, started, disposed
    }

    private let phase = Atomic(Phase.waiting)
    private let issuer: any PermitIssuer
    private let lifetime: Lifetime
    private let start: @Sendable (PermitRequest) -> Void
    private let fail: @Sendable (any Error) -> Void
    private let expiry = PlannedAction()
    private let mark = Resources.Mark("PermitRequest")

    @usableFromInline
    init(
        to issuer: any PermitIssuer, in lifetime: Lifetime, start: @escaping @Sendable (PermitRequest) -> Void,
        fail: @escaping @Sendable (any Error) -> Void
    ) {
        self.issuer = issuer
        self.lifetime = lifetime
        self.start = start
        self.fail = fail
        super.init(parent: lifetime)
    }

    /// Starts the source: the permit has been granted.
    func begin() {
        if issuer.limitsQueueTime { expiry.dispose() }
        guard !lifetime.isDisposed, change(from: .waiting, to: .starting) else { return }
        start(self)
        if !change(from: .starting, to: .started) { free() }
    }

    /// Frees the permit, runs `forward`, and lets the next request begin, on this thread: a source that terminates synchronously frees it
    /// for the next (law 5).
    ///
    /// A stream to which `forward` subscribes finds the permit free; a request that `forward` disposes does not begin.
    @usableFromInline
    func free(_ forward: () -> Void = {}) {
        let next = issuer.free(self)
        forward()
        if let next { NestedSteps.run { next.begin() } }
    }

    /// Ends the subscription: the request has been rejected.
    func reject(with error: any Error) {
        if lifetime.end() { fail(error) }
    }

    /// Plans an action for the case that the request is still queued after `delay`.
    func expire(after delay: Duration, on scheduler: any Scheduler, _ action: @escaping @Sendable () -> Void) {
        expiry.plan { scheduler.schedule(after: delay, action) }
    }

    /// Frees the permit. While the source is being started, perhaps on another thread, this waits until the start is done: the source may
    /// still take the resource that the permit guards.
    @usableFromInline
    override func tearDown() {
        if issuer.limitsQueueTime { expiry.dispose() }
        if phase.exchange(.disposed, ordering: .acquiringAndReleasing) != .starting { free() }
    }

    /// Registers the request, and submits it.
    @usableFromInline
    func submit(to issuer: any PermitIssuer) {
        if Probe.isOn { Probe.limited(by: issuer, isWaiting: { [weak self] in self?.isWaiting == true }) { $0.figures } }
        if attach() { issuer.receive(self) }
    }

    private var isWaiting: Bool { phase.load(ordering: .relaxed) == .waiting }

    private func change(from old: Phase, to new: Phase) -> Bool {
        phase.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
    }
}

extension TicketQueue<PermitRequest> {
    /// Adds a request to the queue.
    mutating func enqueue(_ request: PermitRequest) {
        request.stage = .queued(ticket: append(request))
    }

    /// Removes the oldest request and grants it.
    mutating func grantFirst() -> PermitRequest? {
        let request = popFirst()
        request?.stage = .granted
        return request
    }
}

extension Observable {
    /// Starts this stream when `issuer` permits it. The permit belongs to the subscription until it terminates or is disposed. The permit
    /// is freed when the resources of this stream have been released.
    @inlinable
    func permitted(by issuer: any PermitIssuer) -> Observable {
        Observable { downstream, lifetime in
            let permitted = lifetime.child()
            let request = PermitRequest(to: issuer, in: permitted) { request in
                subscribe(in: permitted.child()) { event in
                    guard event.isStopEvent else { return downstream.on(event) }
                    request.free {
                        if permitted.end() { downstream.on(event) }
                    }
                }
            } fail: { error in
                downstream.onError(error)
            }
            request.submit(to: issuer)
        }
    }
}
