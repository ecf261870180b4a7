import Foundation
import NATSNodes

// nats-server -js                   the server, in one line
// swift run QuoteBus publish        publishes a price each second
// swift run QuoteBus show           shows them, in any number of terminals; a late one has the last price at once
struct Quote: Codable, Sendable {
    let symbol: String
    let price: Double
}

let bus = NATSConnection(ProcessInfo.processInfo.environment["NATS_URL"] ?? "nats://127.0.0.1:4222")
let patient = RetryPolicy.delay(.seconds(1), maxAttempts: .max).when { ($0 as? NATSError)?.isTransient ?? false }
let bag = DisposeBag()

switch CommandLine.arguments.dropFirst().first {
case "publish":
    Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.instance)
        .map { Quote(symbol: "ACME", price: 120 + Double($0 * 7 % 50) / 10) }
        .share(over: bus, "quotes", replay: 1)
        .retry(patient)
        .subscribe(
            onNext: { print("published", $0.symbol, $0.price) }, onError: { print($0.localizedDescription) },
            onDisposed: { MainLoop.stop(code: 1) }
        )
        .disposed(by: bag)
case "show":
    bus.shared("quotes", as: Quote.self, replay: 1)
        .retry(patient)
        .subscribe(
            onNext: { print($0.symbol, $0.price) }, onError: { print($0.localizedDescription) },
            onDisposed: { MainLoop.stop(code: 1) }
        )
        .disposed(by: bag)
default:
    print("usage: QuoteBus publish | show")
    exit(2)
}

exit(MainLoop.run())
