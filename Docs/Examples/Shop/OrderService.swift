import Foundation
import NATSNodes
import NetNodes

/// Places the orders of customers, one after the other, each once, writes down how far it is, and tells the bus.
///
/// It knows nothing of simulations: time, transport, bus and files are given to it.
struct OrderService: Sendable {
    /// Where it is written down how far the service is.
    struct Progress: Sendable {
        let read: @Sendable () async throws -> Int
        let write: @Sendable (Int) async throws -> Void
    }

    let inbox: URL
    let orders: URL
    let transport: any Transport
    let scheduler: any Scheduler
    let bus: NATSConnection
    let progress: Progress
    /// Receives the number of each order that has been placed.
    let confirmed: AnyObserver<Int>
    var mistake: Mistake?

    /// Where orders are announced.
    static let subject = "orders.confirmed"

    private struct Order: Codable {
        let number: Int
    }

    func run() -> Observable<Void> {
        Observable.fromAsync { try await progress.read() }.flatMap { first in
            let orders = orders(after: first)
            let placed = mistake == .overtakingFlatMap ? orders.flatMap { place($0) } : orders.concatMap { place($0) }
            return placed.map { _ in }
        }
    }

    /// Emits the numbers of new orders as the inbox tells of them, over as many connections as necessary.
    private func orders(after first: Int) -> Observable<Int> {
        let last = BehaviorRelay(value: first)
        let api = URLChain(transport: transport).timeouts(HTTPRequest.Timeouts(idle: .seconds(50)))
        let orders = Observable.deferred {
            api.route(.get, inbox.appending(path: "orders/\(last.value)"))
                .events(Order.self, reconnection: ServerSentEventsNode.Reconnection(scheduler: scheduler)).stream()
        }
        return orders.map { $0.number }.do(onNext: { last.accept($0) })
            .retry(.exponential(initial: .seconds(1), cap: .seconds(10), maxAttempts: .max), scheduler: scheduler)
    }

    private func place(_ number: Int) -> Observable<Int> {
        let api = URLChain(transport: transport).timeout(.seconds(10))
        let key: HTTPHeaders = mistake == .lostAcknowledgement ? [:] : ["Idempotency-Key": "\(number)"]
        let request = api.headers(key).route(.post, orders.appending(path: "orders")).input(Order.self).void.stream(Order(number: number))
        let policy: RetryPolicy =
            mistake == .retryWithoutLimit ? .delay(.zero, maxAttempts: .max) : .exponential(initial: .seconds(1), maxAttempts: .max)
        let accepted = request.retry(policy, scheduler: scheduler)
        let noted = Observable.fromAsync {
            try await progress.write(number)
            confirmed.onNext(number)
            // At most once: a screen that misses one shows the next.
            try? bus.publish(number, to: Self.subject)
        }
        // A full disk is tried again, too.
        let remembered = noted.retry(.exponential(initial: .seconds(1), maxAttempts: .max), scheduler: scheduler)
        let steps = mistake == .writtenBeforeConfirmed ? remembered.concatMap { accepted } : accepted.concatMap { remembered }
        return steps.map { number }
    }
}
