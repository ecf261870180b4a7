import Foundation
import NATSNodes

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
        let api = URLChain(transport: transport).timeout(.seconds(10))
        return Observable.fromAsync { try await progress.read() }.flatMap { first in
            placed(after: first, api)
        }
    }

    /// Asks for new orders every five seconds, unless it is still placing the last ones.
    private func placed(after first: Int, _ api: URLChain<Unrouted, Void>) -> Observable<Void> {
        let last = BehaviorRelay(value: first)
        return Observable<Int>.interval(.seconds(5), scheduler: scheduler).startWith(0).flatMapFirst { _ in
            api.route(.get, inbox.appending(path: "orders/\(last.value)")).output([Int].self).stream()
                .catch { _ in .just([]) }
                .concatMap { numbers -> Observable<Int> in
                    let new = Observable.from(numbers)
                    return mistake == .overtakingFlatMap ? new.flatMap { place($0, api) } : new.concatMap { place($0, api) }
                }
                .do(onNext: { last.accept(max(last.value, $0)) })
        }.map { _ in }
    }

    private func place(_ number: Int, _ api: URLChain<Unrouted, Void>) -> Observable<Int> {
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
