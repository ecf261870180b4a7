// What the examples in the documentation of contexts, binders and the other libraries speak of. CI puts them behind this and type-checks the whole.
import Foundation
import NATSNodes
import NodeKit
import StreamsInspector
import StreamsTesting

struct User: Codable, Sendable {
    var id = ""
    var role = ""
}
struct Account: Sendable {
    var usersFrameId = ""
    init() {}
    init(_ account: Account, _ cards: [Card]) {}
}
struct Card: Sendable {}
struct Reply: Sendable { let userId, userRole: String }
struct Quote: Codable, Sendable {
    let symbol: String
    let price: Double
}
struct Order: Codable, Sendable { let number: Int }
struct Sections: Sendable { init(_ banner: String, _ products: [String], _ actions: [String]) {} }
struct Promotions: Sendable { init(_ promotions: String?, _ discounts: [String]?, _ items: [String]?) {} }
struct CustomServerError: Error { let userMessage: String }
enum AddCardError: Error { case badAccountNumber, undefined }
let jar = CookieJar()
struct Service: Sendable {
    func users() -> Observer<[User]> { .emit(data: []) }
    func items() -> Streams.Observable<Int> { .never() }
    func allShopItems() -> Observer<[Int]> { .emit(data: []) }
}
@MainActor final class Presenter { func apply(_ rates: MulticastContext<[User]>) {} }
@MainActor final class Label: ReactiveCompatible {
    var text = ""
    var isHidden = false
}

/// An example is a method of this, so that it may use `self`.
@MainActor final class Example {
    func show(_ users: [User]) {}
    func show(_ error: any Error) {}
    func hideLoader() {}
}

func signed(_ request: HTTPRequest) -> HTTPRequest { request }
func load(from cursor: Int) -> Streams.Observable<[Int]> { .never() }
func bill(_ order: Order) {}
func time(in zone: String) -> String { zone }
func longComputation(_ items: [Int]) -> Int { items.count }
func banner() -> Observer<String> { .emit(data: "") }
func products() -> Observer<[String]> { .emit(data: []) }
func promotions() -> Observer<String> { .emit(data: "") }
func personalDiscounts() -> Observer<[String]> { .emit(data: []) }
func shortAccount(by id: String = "") -> Observer<Account> { .emit(data: Account()) }
func users(by id: String) -> Observer<[User]> { .emit(data: []) }
func cards(of account: Account) -> Observer<[Card]> { .emit(data: []) }
func userData() -> Observer<[User]> { .emit(data: []) }
let actions = { @Sendable () -> Observer<[String]> in .emit(data: []) }
let stockItems = { @Sendable () -> Observer<[String]> in .emit(data: []) }

let bag = DisposeBag()
let scheduler = TestScheduler()
let source = Streams.Observable<Int>.never()
let quotes = Streams.Observable<Quote>.never()
let orders = Streams.Observable<Order>.never()
let network = Streams.Observable<Int>.never()
let cached = Streams.Observable<Int>.never()
let title = Streams.Observable<String>.never()
let bus = NATSConnection("nats://127.0.0.1:4222")
let chain = URLChain(transport: .shared)
let service = Service()
let node = AnyNode<String, [User]> { _ in .never() }
let login = AnyNode<String, Reply> { _ in .never() }
let credentials = "ada"
let pairs = "EUR/USD"
let card = "4711"
let id = "7"
let file = URL(filePath: "/tmp/file")
let photoURL = file
let request = HTTPRequest(.get, file)
let (firstPresenter, secondPresenter) = MainActor.assumeIsolated { (Presenter(), Presenter()) }
let (label, view) = MainActor.assumeIsolated { (Label(), Label()) }
