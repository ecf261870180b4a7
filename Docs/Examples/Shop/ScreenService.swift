import Foundation
import NATSNodes
import NetNodes

/// Shows each of three users their price and what is in stock, the orders that the bus tells of, and keeps a record of the ticks of the market.
struct ScreenService: Sendable {
    /// What is on the screen of a user.
    struct Shown: Sendable, Equatable, CustomStringConvertible {
        let user: Int
        let price: Int
        let stock: Int

        var description: String { "user \(user): price \(price), stock \(stock)" }
    }

    let prices: URL
    let tokens: URL
    let transport: any Transport
    let scheduler: any Scheduler
    let ticks: Observable<Int>
    /// Writes a tick into the record.
    let record: @Sendable (Int) async throws -> Void
    let bus: NATSConnection
    let shown: AnyObserver<Shown>
    /// Receives the numbers of the orders that the bus tells of.
    let announced: AnyObserver<Int>
    /// Receives how many ticks wait to be recorded.
    let waiting: AnyObserver<Int>
    var mistake: Mistake?

    private static let leaked = DisposeBag()

    func run() -> Observable<Void> {
        let access = Access(tokens: tokens, transport: transport, sharesRefresh: mistake != .refreshStorm)
        let cache = LatestCache<String, Int>(for: .seconds(10), scheduler: scheduler)
        let screens = (1...3).map { user in screen(of: user, access, cache) }
        return Observable.merge(screens + [sessions(), announcements(), recorded()])
    }

    private func announcements() -> Observable<Void> {
        bus.messages(OrderService.subject, as: Int.self)
            .retry(.exponential(initial: .seconds(1), cap: .seconds(30), maxAttempts: .max), scheduler: scheduler)
            .do(onNext: { announced.onNext($0.body) }).map { _ in }
    }

    private func screen(of user: Int, _ access: Access, _ cache: LatestCache<String, Int>) -> Observable<Void> {
        let turns = Observable<Int>.interval(.seconds(90), scheduler: scheduler).startWith(0)
        let (priceURL, stockURL) = (prices.appending(path: "price"), prices.appending(path: "stock"))
        let key = mistake == .otherUsersAnswer ? "price" : "price of \(user)"
        let price = turns.flatMapLatest { _ in
            access.get(priceURL, user).cacheLatest(key, in: cache).catch { _ in .empty() }
        }
        let stock = { @Sendable in access.get(stockURL, user) }
        let pairs =
            mistake == .deadlockByZip
            ? Observable.zip(price, turns.flatMapLatest { _ in stock() }.catch { _ in .empty() }) { (price: $0, stock: $1) }
            : Observable.combineLatest(price, turns.flatMapLatest { _ in stock().catch { _ in .empty() } }) { (price: $0, stock: $1) }
        return pairs.do(onNext: { shown.onNext(Shown(user: user, price: $0.price, stock: $0.stock)) }).map { _ in }
    }

    /// A user is logged in for a minute, every two minutes, and says so every thirty seconds.
    private func sessions() -> Observable<Void> {
        let url = prices.appending(path: "heartbeat")
        let api = URLChain(transport: transport).timeout(.seconds(5))
        return Observable<Int>.interval(.seconds(120), scheduler: scheduler).startWith(0).flatMap { session in
            let beats = Observable<Int>.interval(.seconds(30), scheduler: scheduler)
                .flatMapLatest { _ in
                    api.headers(["Session": "\(session)"]).route(.put, url).void.stream().catch { _ in .empty() }
                }
            let end = Observable<Int>.timer(.seconds(60), scheduler: scheduler)
            return mistake == .survivingTimer ? beats : beats.take(until: end)
        }
    }

    private func recorded() -> Observable<Void> {
        let received = BehaviorRelay(value: 0)
        let counted = ticks.do(onNext: { received.accept($0) })
        let source = PublishSubject<Int>()
        let subscription = counted.subscribe(onNext: { source.onNext($0) })
        if mistake == .leakAtRestart { subscription.disposed(by: Self.leaked) }
        let policy: BufferingPolicy = mistake == .unboundedBuffer ? .unbounded : .dropOldest(capacity: 3)
        let written = Observable.fromAsync {
            for try await tick in source.values(overflow: policy) {
                waiting.onNext(received.value - tick)
                try? await record(tick)
            }
        }
        return mistake == .leakAtRestart ? written : written.do(onDispose: { subscription.dispose() })
    }
}

/// Requests with a token, which is fetched when there is none, and anew when a server rejects it.
private final class Access: Sendable {
    private let tokens: URL
    private let api: URLChain<Unrouted, Void>
    private let token = BehaviorRelay<String?>(value: nil)
    private let refresh: Collapser<Int, String>
    private let sharesRefresh: Bool

    init(tokens: URL, transport: any Transport, sharesRefresh: Bool) {
        (self.tokens, self.sharesRefresh) = (tokens.appending(path: "token"), sharesRefresh)
        api = URLChain(transport: transport).timeout(.seconds(5))
        refresh = Collapser()
    }

    func get(_ url: URL, _ user: Int) -> Observable<Int> {
        Observable.deferred { [self] in token.value.map { .just($0) } ?? fetch() }.flatMap { [self] token in
            get(url, user, token).catch { [self] error in
                guard case HTTPError.unauthorized = error else { return .error(error) }
                return renewed(after: token).flatMap { [self] token in get(url, user, token) }
            }
        }
    }

    private func get(_ url: URL, _ user: Int, _ token: String) -> Observable<Int> {
        api.headers(["Authorization": "Bearer \(token)", "User": "\(user)"]).route(.get, url).output(Int.self).stream()
    }

    /// Of requests that are rejected one after the other the first fetches a token, and the others use it.
    private func renewed(after rejected: String) -> Observable<String> {
        guard sharesRefresh, let current = token.value, current != rejected else { return fetch() }
        return .just(current)
    }

    private func fetch() -> Observable<String> {
        let fetched = api.route(.put, tokens).output(String.self).stream()
            .do(onNext: { [self] in token.accept($0) })
        return sharesRefresh ? fetched.collapse(0, in: refresh) : fetched
    }
}
