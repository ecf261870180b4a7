// The blocks of `Docs/Messaging.md` about NATS, with what they take for granted.
import Foundation
import NATSNodes
import SystemSources

private struct NATSPage {
    struct Quote: Codable, Sendable {
        let symbol: String
        let price: Double
    }

    struct Order: Codable, Sendable { let number: Int }

    let bag: DisposeBag
    let bus: NATSConnection
    let quotes: Observable<Quote>
    let orders: Observable<Order>
    let midnight: Date

    func clock(_ zone: String) -> Observable<String> { .just(zone) }
    func bill(_ order: Order) -> Observable<Never> { .empty() }

    func messages() throws {
        let bus = NATSConnection("nats://127.0.0.1:4222")

        bus.messages("quotes.>", as: Quote.self)
            .subscribe(onNext: { message in print(message.subject, message.body.price) }, onError: { print($0.localizedDescription) })
            .disposed(by: bag)

        quotes.publish(to: bus, subject: { "quotes.\($0.symbol)" }).subscribe(onError: { print($0.localizedDescription) }).disposed(by: bag)
        try bus.publish("hello", to: "greetings")
        bus.messages("jobs", queue: "workers").subscribe(onNext: { print($0.text) }).disposed(by: bag)
    }

    func requests() -> [Observable<String>] {
        bus.serve("time", as: String.self, queue: "clocks") { zone in clock(zone) }.subscribe().disposed(by: bag)

        let time = bus.requestNode("time", String.self, String.self)  // a Node: retry, logged, circuitBreaker, hedge
        let first = time.stream("UTC").retry(.exponential(initial: .milliseconds(100), maxAttempts: 3))
        let all = bus.requestNode("time", String.self, String.self, answers: .all).stream("UTC")
        return [first, all]
    }

    func service() async throws -> ServiceHost.Outcome {
        let patient = RetryPolicy.exponential(initial: .milliseconds(100), cap: .seconds(5), maxAttempts: .max)
            .when { ($0 as? NATSError)?.isTransient ?? false }

        let outcome = try await ServiceHost(stopLimit: .seconds(10)).run { environment in
            bus.serve("time", as: String.self) { zone in clock(zone) }
                .retry(patient)
                .asObservable().concat(Observable.never())
                .take(until: environment.stopRequests.take(1).flatMap { _ in bus.drain(within: .seconds(8)).andThen(Observable.just(())) })
        }.value
        return outcome
    }

    func storedStreams() -> (Single<NATSStream.Info>, Observable<NATSStream.Acknowledgement>, Observable<NATSStream.StoredMessage<Order>>) {
        let stream = bus.stream("ORDERS")
        let creation = stream.create { $0.replicas = 3 }

        let stored = orders.store(in: stream, id: \.number)  // Observable<NATSStream.Acknowledgement>

        stream.consume("billing", as: Order.self)
            .flatMap(maxConcurrent: 8) { delivery in bill(delivery.body).do(onCompleted: { delivery.acknowledge() }) }
            .subscribe()
            .disposed(by: bag)

        let today = stream.replay(from: .time(midnight), as: Order.self)  // in order, without a gap, and then what follows
        return (creation, stored, today)
    }

    func buckets() {
        let prices = bus.bucket("prices", of: Double.self)
        prices.create(history: 5).andThen(prices.put(126.81, "ACME")).subscribe().disposed(by: bag)
        prices.value(of: "ACME").subscribe(onNext: { print($0 ?? 0) }).disposed(by: bag)
        prices.replace("ACME", with: 127, revision: 1).subscribe(onFailure: { print($0.localizedDescription) }).disposed(by: bag)

        quotes.share(over: bus, "quotes", replay: 1).subscribe().disposed(by: bag)  // where the source is
        bus.shared("quotes", as: Quote.self, replay: 1).subscribe(onNext: { print($0) }).disposed(by: bag)  // anywhere
        bus.events.subscribe(onNext: { if case .skipped(let error, let count) = $0 { print(count, error) } }).disposed(by: bag)
    }
}
