import Foundation
import LoopbackServer
import NATSNodes
import Streams
import StreamsSimulator
import SystemSources

/// The simulation of the shop: its two services, the servers that they use, what can go wrong, and what must hold all the same.
public enum ShopWorld {
    /// What the servers know.
    ///
    /// `@unchecked Sendable`: used on the thread of the simulation only.
    private final class Books: @unchecked Sendable {
        var token = 0
        /// The number of the last order of each key.
        var orders: [String: Int] = [:]
        var placed: Set<Int> = []
        var subscribers = 0
    }

    /// Declares the world of one run, and lets ten minutes pass.
    public static func run(_ world: Simulation.World, mistake: Mistake? = nil) async throws {
        let books = Books()
        let placed = world.stream("placed", of: Int.self)
        let tokens = world.stream("tokens", of: Int.self)
        let heartbeats = world.stream("heartbeats", of: Int.self)
        let confirmed = world.stream("confirmed", of: Int.self)
        let shown = world.stream("shown", of: ScreenService.Shown.self)
        let announced = world.stream("announced", of: Int.self)
        let waiting = world.stream("waiting", of: Int.self)
        let subscribers = world.stream("subscribers", of: Int.self)

        let inbox = world.server("inbox", routes: [inboxRoute(world)])
        let orders = world.server("orders", routes: [orderRoute(books, placed)])
        let bank = world.server("tokens", routes: [tokenRoute(books, tokens)])
        let market = world.server("market", routes: marketRoutes(heartbeats))
        let bus = world.bus("bus")
        let ticks = ticks(in: world, books, subscribers)

        world.process("orders-service") { environment in
            let service = OrderService(
                inbox: inbox.baseURL, orders: orders.baseURL, transport: environment.transport, scheduler: environment.scheduler,
                bus: NATSConnection(bus.url), progress: progress(on: environment.disk), confirmed: confirmed.asObserver(), mistake: mistake)
            for try await _ in service.run().values {}
        }
        world.process(
            "screen-service",
            running: { environment in
                ScreenService(
                    prices: market.baseURL, tokens: bank.baseURL, transport: environment.transport, scheduler: environment.scheduler,
                    ticks: ticks,
                    record: { tick in
                        try await Observable.just("\(tick)").write(appendingTo: URL(filePath: "/ticks"), on: environment.disk).value
                    },
                    bus: NATSConnection(bus.url), shown: shown.asObserver(), announced: announced.asObserver(),
                    waiting: waiting.asObserver(), mistake: mistake
                ).run()
            })

        world.always("no order is placed twice", placed.asObservable().areDistinct())
        world.always("orders are placed in their order", placed.asObservable().scan((0, true)) { ($1, $1 > $0.0) }.map { $0.1 })
        world.always("what is confirmed was placed", confirmed.asObservable().map { books.placed.contains($0) })
        world.always("what is announced was placed", announced.asObservable().map { books.placed.contains($0) })
        world.always("no more than twenty attempts in a second", orders.requests.areAtMost(20, within: .seconds(1), in: world))
        world.always("no more than four tokens in a second", tokens.asObservable().areAtMost(4, within: .seconds(1), in: world))
        world.always("nobody sees the price of another", shown.asObservable().map { $0.price / 1_000 == $0.user })
        world.always("one subscription to the ticks", subscribers.asObservable().map { $0 <= 1 })
        world.always("few ticks wait", waiting.asObservable().map { $0 <= 6 })
        world.always("few sessions have a heartbeat", heartbeats.asObservable().areOfAtMost(3, within: .seconds(30), in: world))
        world.eventually("an order is confirmed", within: .seconds(300), confirmed)
        world.eventually("an order is announced", within: .seconds(500), announced)
        world.eventually("the screens are updated", within: .seconds(480), after: shown, shown)
        world.faults = .all(rate: .perMinute(2))
        try await world.run(for: .seconds(600))
    }

    private static func progress(on disk: any Disk) -> OrderService.Progress {
        let file = URL(filePath: "/progress")
        return OrderService.Progress(
            read: {
                do { return Int(String(decoding: try await disk.read(file).value, as: UTF8.self)) ?? 0 } catch SystemSourceError.notFound {
                    return 0
                }
            },
            write: { try await Observable.just(Data("\($0)".utf8)).write(replacing: file, on: disk).value })
    }

    /// Tells of the orders behind the last one that a client knows, and of a new one each forty seconds.
    private static func inboxRoute(_ world: Simulation.World) -> LoopbackServer.Route {
        let period = Duration.seconds(40)
        return .get("/orders/:last") { request in
            let last = (request.headers["Last-Event-ID"] ?? request.parameters["last"]).flatMap { Int($0) } ?? 0
            let newest = Int(world.now / period)
            let coming = Observable<Int>.timer(period * (newest + 1) - world.now, period: period, scheduler: world.scheduler)
                .map { newest + 1 + $0 }
            let numbers = Observable.from(newest > last ? Array((last + 1)...newest) : []).concat(coming)
            return .events(numbers.map { LoopbackServer.SentEvent(data: #"{"number": \#($0)}"#, id: "\($0)") })
        }
    }

    private static func orderRoute(_ books: Books, _ placed: Simulation.Stream<Int>) -> LoopbackServer.Route {
        struct Order: Decodable { let number: Int }
        return .post("/orders") { request in
            let order = try request.json(as: Order.self)
            let key = request.headers["Idempotency-Key"]
            if let key, books.orders[key] != nil { return .empty(201) }
            if let key { books.orders[key] = order.number }
            books.placed.insert(order.number)
            placed.emit(order.number)
            return .empty(201)
        }
    }

    private static func tokenRoute(_ books: Books, _ tokens: Simulation.Stream<Int>) -> LoopbackServer.Route {
        .put("/token") { _ in
            books.token += 1
            tokens.emit(books.token)
            return .json("token-\(books.token)")
        }
    }

    private static func marketRoutes(_ heartbeats: Simulation.Stream<Int>) -> [LoopbackServer.Route] {
        let user: @Sendable (LoopbackServer.Request) -> Int = { $0.headers["User"].flatMap { Int($0) } ?? 0 }
        return [
            .get("/price") { request in .json(user(request) * 1_000 + request.number % 1_000) },
            .get("/stock") { request in .json(request.number) },
            .put("/heartbeat") { request in
                heartbeats.emit(request.headers["Session"].flatMap { Int($0) } ?? 0)
                return .empty()
            },
        ]
    }

    /// A tick each five seconds, from outside of the services, with the count of those who listen.
    private static func ticks(in world: Simulation.World, _ books: Books, _ subscribers: Simulation.Stream<Int>) -> Observable<Int> {
        let hub = PublishSubject<Int>()
        _ = world.scheduler.schedulePeriodic(after: .seconds(5), every: .seconds(5)) { hub.onNext(Int(world.now / .seconds(5))) }
        return hub.asObservable().do(
            onSubscribe: {
                books.subscribers += 1
                subscribers.emit(books.subscribers)
            }, onDispose: { books.subscribers -= 1 })
    }
}

extension ObservableType<Int> {
    /// Emits for each element whether there were at most `count` different ones within the last `duration`.
    fileprivate func areOfAtMost(_ count: Int, within duration: Duration, in world: Simulation.World) -> Observable<Bool> {
        scan([(time: Duration, value: Int)]()) { last, value in last.filter { $0.time > world.now - duration } + [(world.now, value)] }
            .map { Set($0.map(\.value)).count <= count }
    }
}

extension ObservableType where Element: Sendable {
    /// Emits for each element whether there were at most `count` within the last `duration`.
    fileprivate func areAtMost(_ count: Int, within duration: Duration, in world: Simulation.World) -> Observable<Bool> {
        scan([Duration]()) { times, _ in times.filter { $0 > world.now - duration } + [world.now] }.map { $0.count <= count }
    }
}
