import Foundation
import Schedulers

/// Bounds how many subscriptions run at once; further ones wait in a queue of bounded length, in the order of their arrival.
///
/// ```swift
/// let bulkhead = Bulkhead(maxConcurrent: 10, queueCapacity: 50, maxWait: .seconds(1))
/// let answer = request.bulkhead(bulkhead)
/// bulkhead.metrics.subscribe(onNext: { print("\($0.running) running, \($0.queued) queued") }).disposed(by: bag)
/// ```
///
/// One bulkhead is shared by all requests that use the same resource. It is usable from any thread.
///
/// Its queue holds subscriptions of independent callers, which have emitted nothing, so there is no source that it could suspend. The queue
/// is bounded, and a caller that does not fit fails with ``Bulkhead/Failure/full(maxConcurrent:queueCapacity:)``. If the callers are the
/// elements of one stream, use `flatMap(maxConcurrent:)`: it suspends that stream. Source: [resilience4j,
/// Bulkhead](https://resilience4j.readme.io/docs/bulkhead).
public final class Bulkhead: Sendable {
    /// The figures of a bulkhead.
    public struct Metrics: Equatable, Sendable {
        /// The number of subscriptions that may run at once.
        public let maxConcurrent: Int
        /// The number of subscriptions that may be queued.
        public let queueCapacity: Int
        /// The number of subscriptions that run.
        public internal(set) var running = 0
        /// The number of subscriptions in the queue.
        public internal(set) var queued = 0
        /// The number of subscriptions that have been permitted to run.
        public internal(set) var permitted = 0
        /// The number of subscriptions that have been rejected because the queue was full.
        public internal(set) var rejected = 0
        /// The number of subscriptions that have been rejected because they were queued for too long.
        public internal(set) var timedOut = 0
    }

    struct State {
        /// The figures without the length of the queue.
        var counts: Metrics
        var queue = TicketQueue<PermitRequest>()

        var metrics: Metrics {
            var metrics = counts
            metrics.queued = queue.count
            return metrics
        }

        /// Grants the permit that has become free to the first request in the queue, or leaves it free.
        mutating func grantNext() -> PermitRequest? {
            guard let next = queue.grantFirst() else {
                counts.running -= 1
                return nil
            }
            counts.permitted += 1
            return next
        }
    }

    private let state: MeasuredState<State>
    private let maxWait: Duration?
    private let scheduler: any Scheduler

    /// Creates an unused bulkhead.
    ///
    /// - Parameters:
    ///   - maxConcurrent: how many subscriptions may run at once; values below one are treated as one.
    ///   - queueCapacity: how many may be queued; negative values are treated as zero, so that all further ones are rejected.
    ///   - maxWait: the longest time in the queue; `nil` is no limit.
    ///   - scheduler: where the time in the queue is measured.
    public init(
        maxConcurrent: Int, queueCapacity: Int, maxWait: Duration? = nil,
        scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .userInitiated)
    ) {
        let metrics = Metrics(maxConcurrent: max(1, maxConcurrent), queueCapacity: max(0, queueCapacity))
        state = MeasuredState(State(counts: metrics))
        self.maxWait = maxWait.map { max(.zero, $0) }
        self.scheduler = scheduler
        Probe.shown(self, as: "Bulkhead") { Probe.Facts($0.figures) }
    }

    /// The current figures, and then each change of them, on the thread of the change. Never terminates.
    public var metrics: Observable<Metrics> { state.figures { $0.metrics } }

    /// The current figures.
    public var currentMetrics: Metrics { state.read { $0.metrics } }
}

extension Bulkhead: PermitIssuer {
    @usableFromInline
    var limitsQueueTime: Bool { maxWait != nil }

    @usableFromInline
    var figures: String {
        let metrics = currentMetrics
        return "\(metrics.running) of \(metrics.maxConcurrent) running, \(metrics.queued) of \(metrics.queueCapacity) queued, "
            + "\(metrics.permitted) permitted, \(metrics.rejected) rejected, \(metrics.timedOut) timed out"
    }

    @usableFromInline
    func receive(_ request: PermitRequest) {
        switch state.update({ Self.admit(request, &$0) }) {
        case .granted: request.begin()
        case .queued:
            guard let maxWait else { return }
            request.expire(after: maxWait, on: scheduler) { [self] in expire(request, after: maxWait) }
        case .over:
            let metrics = currentMetrics
            request.reject(with: Failure.full(maxConcurrent: metrics.maxConcurrent, queueCapacity: metrics.queueCapacity))
        case .requested: break
        }
    }

    /// Decides on a request; it stays `requested` if its subscription has been disposed meanwhile.
    private static func admit(_ request: PermitRequest, _ state: inout State) -> PermitRequest.Stage {
        guard case .requested = request.stage else { return .requested }
        if state.counts.running < state.counts.maxConcurrent {
            state.counts.running += 1
            state.counts.permitted += 1
            request.stage = .granted
        } else if state.queue.count < state.counts.queueCapacity {
            state.queue.enqueue(request)
        } else {
            state.counts.rejected += 1
            request.stage = .over
        }
        return request.stage
    }

    @usableFromInline
    func free(_ request: PermitRequest) -> PermitRequest? {
        let (next, _) = state.update { state -> (PermitRequest?, PermitRequest?) in
            defer { request.stage = .over }
            switch request.stage {
            case .granted: return (state.grantNext(), nil)
            case .queued(let ticket): return (nil, state.queue.remove(ticket: ticket))
            case .requested, .over: return (nil, nil)
            }
        }
        return next
    }

    private func expire(_ request: PermitRequest, after limit: Duration) {
        let expired = state.update { state -> PermitRequest? in
            guard case .queued(let ticket) = request.stage else { return nil }
            request.stage = .over
            state.counts.timedOut += 1
            return state.queue.remove(ticket: ticket)
        }
        expired?.reject(with: Failure.timedOut(after: limit))
    }
}

extension Bulkhead {
    /// The reason why a bulkhead rejected a subscription.
    public enum Failure: RedactedError, Equatable {
        /// The given numbers of subscriptions were running and queued.
        case full(maxConcurrent: Int, queueCapacity: Int)
        /// The subscription was in the queue for this long.
        case timedOut(after: Duration)
    }
}

extension Bulkhead.Failure: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .full(let running, let queued): "The bulkhead is full: \(running) are running and \(queued) are queued."
        case .timedOut(let limit): "The bulkhead did not permit the subscription within \(limit.displayText)."
        }
    }

    public var errorDescription: String? { description }
}

extension ObservableType {
    /// Subscribes when `bulkhead` permits it; fails with a ``Bulkhead/Failure`` if its queue is full, or if the wait is too long.
    ///
    /// ```swift
    /// letters.flatMap { load($0).bulkhead(bulkhead) }
    /// // -abc---------|
    /// // ----a--b--c--|        each loads for three seconds, one at a time
    /// ```
    ///
    /// A permit is held from the subscription upstream to its terminal event or disposal. Disposing removes a queued subscription. A queued
    /// subscription starts on the thread that freed its permit, after the terminal event has been forwarded. Source: [resilience4j,
    /// Bulkhead](https://resilience4j.readme.io/docs/bulkhead).
    @inlinable
    public func bulkhead(_ bulkhead: Bulkhead) -> Observable<Element> {
        asObservable().permitted(by: bulkhead)
    }
}
