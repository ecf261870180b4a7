// What the examples in the documentation speak of. CI puts them behind this and type-checks the whole.
import Foundation
import Observation
import Streams
import SystemSources

struct Item: Codable, Sendable { let name: String }
struct User: Codable, Sendable { let name: String }
struct NetworkResponse: Codable, Sendable { let items: [Item] }
enum ResponseError: Error { case missingItems, tooLarge, wrapped(any Error) }

struct Loading: Sendable { func cancel() {} }
struct Transport: Sendable {
    struct Response: Sendable { let data: Data }
    func data(for request: String) -> Streams.Observable<Response> { .never() }
}
struct Service: Sendable {
    func profile() async throws -> String { "" }
    func profile(of user: User) async throws -> String { "" }
    func quotes() -> Streams.Observable<Int> { .never() }
}
final class Opened: Disposable {
    let lines = Streams.Observable<String>.never()
    func dispose() {}
}
final class Clock: Sendable { func text(for tick: Int) -> String { "\(tick)" } }
actor Counter {
    var total = 0
    func add(_ number: Int) { total += number }
}
@MainActor final class Label: ReactiveCompatible { var text = "" }
@MainActor @Observable final class Titled { var title = "" }
@MainActor final class Screen {
    @Streamed var state = LoadingState<Int>.idle
    func refresh() {}
}
@MainActor final class Table { func show(_ items: [Item]) {} }
@MainActor final class ImageView: ReactiveCompatible { var image: String? }
struct Button { let taps = Streams.Observable<Void>.never() }

let numbers = Streams.Observable<Int>.never()
let others = Streams.Observable<Int>.never()
let (a, b, c, d, e) = (numbers, others, numbers, others, numbers)
let letters = Streams.Observable<String>.never()
let models = Streams.Observable<any Sendable>.never()
let users = Streams.Observable<User>.never()
let request = Streams.Observable<Int>.never()
let poll = Streams.Observable<Int>.never()
let cached = Streams.Observable<Int>.never()
let unruly = Streams.Observable<Int>.never()
let quotes = Streams.Observable<String>.never()
let records = Streams.Observable<Data>.never()
let journal = URL(filePath: "/journal")
let disk: any Disk = .system
let health = ServiceHealth()
let check = health.check("numbers")
let responses = Streams.Observable<NetworkResponse>.never()
let scheduler: any Scheduler = VirtualTimeScheduler()
let transport = Transport()
let service = Service()
let clock = Clock()
let items = "items"
let team = [User(name: "Ada"), User(name: "Grace")]
let counter = Counter()
let cursor = AsyncThrowingStream<Item, any Error> { $0.finish() }
let suspension = Suspension()
let file = URL(filePath: "/")
let lines = AsyncStream<String> { _ in }
let bag = DisposeBag()
@MainActor let label = Label()
@MainActor let model = Titled()
@MainActor let screen = Screen()
@MainActor let table = Table()
@MainActor let imageView = ImageView()
let button = Button()
let search = AnyNode<String, String> { load($0) }
let indicator = LoadIndicator()
let keys = TokenRefresherNode(chain: AnyNode<Void, String> { .just("key") }) { _ in }
let breaker = CircuitBreaker(.consecutiveFailures(1), openFor: .seconds(9), scheduler: scheduler)
let limiter = RateLimiter(1, per: .seconds(3), maxWait: .seconds(9), scheduler: scheduler)
let bulkhead = Bulkhead(maxConcurrent: 1, queueCapacity: 9)
let hedging = Hedging(after: .fixed(.seconds(2)), scheduler: scheduler)
let requests = Collapser<String, String>()
let cache = LatestCache<String, String>(for: .seconds(5), scheduler: scheduler)
let placeholder = ""

func user(named name: String) -> Streams.Observable<User> { .never() }
func sometimesSlow(_ letter: String) -> Streams.Observable<String> { .just(letter) }
func load(_ letter: String) -> Streams.Observable<String> { .just(letter) }
func load(_ done: @escaping @Sendable (String) -> Void) -> Loading { Loading() }
func load(_ done: @escaping @Sendable (Result<User, any Error>) -> Void) -> Loading { Loading() }
func getImage() -> Streams.Observable<String> { .never() }
func openFile() throws -> Opened { Opened() }
func show(_ quote: String) {}

struct Configuration: Sendable { init(_ file: URL) throws {} }
extension Notification.Name { static let titleChanged = Notification.Name("titleChanged") }
let log = URL(filePath: "/")
let inbox = URL(filePath: "/")
let berlin = TimeZone.gmt
let start = Date()
func measure() -> Streams.Observable<Int> { .never() }
func serve(_ configuration: Configuration) -> Streams.Observable<Int> { .never() }

/// An example is a method of this.
final class Example {}
