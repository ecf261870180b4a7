import Foundation
import LoopbackServer
import StreamsTesting
import Testing

@testable import NetNodes

/// The listings about contexts that send a request, under their section titles, in front of a real server.
@Suite("The listings about contexts of requests", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct ContextRequestExampleTests {
    /// A server with one answer, and the node that asks it.
    private struct Service<Model: Decodable & Sendable> {
        let server: LoopbackServer
        let node: AnyNode<Void, Model>

        init(_ response: LoopbackServer.Response, path: String = "") throws {
            server = try running(.get("/") { _ in response })
            node = try URLChain(transport: CurlTransport()).route(.get, server.baseURL + path).output(Model.self)
        }
    }

    @Suite("map<T>(_ mapper: @escaping (Model) throws -> T)")
    struct MapValue {
        enum UserRole: String, Codable {
            case reader
        }

        struct AuthEntity: Codable {
            let accessToken: String
            let refreshToken: String
            let userId: String
            let userRole: UserRole
        }

        struct User {
            let id: String
            let role: UserRole
        }

        final class AuthService: Sendable {
            let node: AnyNode<Void, AuthEntity>
            let stored = Slot<String>()

            init(_ node: AnyNode<Void, AuthEntity>) { self.node = node }

            func authorize() -> Observer<User> {
                node.process().map { [weak self] (reply: AuthEntity) in
                    self?.store(accessToken: reply.accessToken, refreshToken: reply.refreshToken)
                    return User(id: reply.userId, role: reply.userRole)
                }
            }

            func store(accessToken: String, refreshToken: String) { stored.fill("\(accessToken) \(refreshToken)") }
        }

        @Test func `It hides the tokens of a response from the presenter`() throws {
            let reply = AuthEntity(accessToken: "access", refreshToken: "refresh", userId: "Jack", userRole: .reader)
            let service = try Service<AuthEntity>(.json(reply))
            let (auth, user) = (AuthService(service.node), Slot<String>())

            auth.authorize().onCompleted { user.fill("\($0.id) \($0.role)") }

            #expect(user.wait() == "Jack reader")
            #expect(auth.stored.wait() == "access refresh")
        }
    }

    @Suite("filter<T>(_ predicate: @escaping (T) -> Bool) where Model == [T]")
    struct Filter {
        struct Order: Codable {
            let name: String
            let isCompleted: Bool
        }

        struct OrderService: Sendable {
            let node: AnyNode<Void, [Order]>
            func getAllOrders() -> Observer<[Order]> { node.process() }
        }

        struct OrderScreen {
            let service: OrderService

            func completedOrders() -> Observer<[Order]> {
                self.service
                    .getAllOrders()
                    .filter { $0.isCompleted }
            }
        }

        @Test func `It filters the elements`() throws {
            let service = try Service<[Order]>(.json([Order(name: "tea", isCompleted: true), Order(name: "milk", isCompleted: false)]))
            let names = Slot<[String]>()
            OrderScreen(service: OrderService(node: service.node)).completedOrders().onCompleted { names.fill($0.map(\.name)) }
            #expect(names.wait() == ["tea"])
        }
    }

    @Suite("dispatchOn(_ queue: DispatchQueue)")
    struct DispatchOn {
        struct ShopService: Sendable {
            let node: AnyNode<Void, [String]>
            func getAllShopItems() -> Observer<[String]> { node.process() }
        }

        final class Shop: Sendable {
            let service: ShopService
            init(_ service: ShopService) { self.service = service }

            func load() -> Observer<Int?> {
                self.service
                    .getAllShopItems()
                    .dispatchOn(.global(qos: .userInitiated))
                    .map { [weak self] item in
                        self?.soLongExecutedMethod(item)
                    }
            }

            func soLongExecutedMethod(_ items: [String]) -> Int {
                dispatchPrecondition(condition: .onQueue(.global(qos: .userInitiated)))
                return items.count
            }
        }

        @Test func `The closures of downstream operators run on the queue`() throws {
            let service = try Service<[String]>(.json(["tea", "milk"]))
            let (shop, count) = (Shop(ShopService(node: service.node)), Slot<Int?>())
            shop.load().onCompleted { count.fill($0) }
            #expect(count.wait() == .some(2))
            withExtendedLifetime(shop) {}
        }
    }

    @Suite("multicast()")
    struct Multicast {
        typealias T = Double

        final class FirstPresenter: Sendable {
            let printed: ReplaySubject<String>
            init(_ printed: ReplaySubject<String>) { self.printed = printed }

            func apply(observer: Observer<T>) {
                observer.onCompleted { [printed] in printed.onNext("list \($0)") }
            }
        }

        final class SecondPresenter: Sendable {
            let printed: ReplaySubject<String>
            init(_ printed: ReplaySubject<String>) { self.printed = printed }

            func apply(observer: Observer<T>) {
                observer.onCompleted { [printed] in printed.onNext("detail \($0)") }
            }
        }

        @Test func `Two presenters of an exchange share one stream of rates, over one connection`() throws {
            let rates = Observable.from(["73.5", "74"]).map { LoopbackServer.SentEvent(data: $0) }
            let server = try running(.get("/rates") { _ in .events(Observable.concat(rates, .never())) })
            let node = try URLChain(transport: CurlTransport()).route(.get, server.baseURL + "rates").events(T.self)
            let printed = ReplaySubject<String>.createUnbounded()

            let observer = node.process()
                .multicast()

            FirstPresenter(printed)
                .apply(observer: observer)

            SecondPresenter(printed)
                .apply(observer: observer)

            let lines = printed.take(while: { $0 != "detail 74.0" }, behavior: .inclusive).ended().elements
            // A late subscriber receives the stored rate.
            #expect(lines.suffix(2) == ["list 74.0", "detail 74.0"])
            #expect(server.recordedRequests.count == 1)
            observer.cancel()
        }
    }

    @Suite("process(_ observer: (Observer) -> Void)")
    struct Process {
        @Test func `It prints the log of the finished request`() throws {
            let service = try Service<[String]>(.json(["tea", "milk"]), path: "?token=s3cr3t")
            let (node, printed) = (service.node, Slot<String>())
            @Sendable func print(_ log: Any) { printed.fill("\(log)") }

            node.process().process { print($0.log ?? "") }

            let lines = try #require(printed.wait()).split(separator: "\n")
            #expect(lines.first == "[info] send: GET \(service.server.baseURL)/?token=***")
            #expect(try lines.last?.wholeMatch(of: Regex(#"\[info\] send: 200 with 14 bytes after \d+(\.\d+)? m?s"#)) != nil)
            #expect(lines.count == 2)
        }
    }
}
