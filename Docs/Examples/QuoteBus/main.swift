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

/// Writes a line at once: what `print` says to a pipe waits until there is more of it.
@Sendable func say(_ line: String, to file: FileHandle = .standardOutput) {
    file.write(Data("\(line)\n".utf8))
}

// The server may start later, or again: this tells of it, and of prices that were missed meanwhile.
bus.events.map(\.description).distinctUntilChanged()
    .subscribe(onNext: { say($0, to: .standardError) })
    .disposed(by: bag)

// `onDisposed` is called last, after `onError`: nothing is said behind it.
switch CommandLine.arguments.dropFirst().first {
case "publish":
    Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.instance)
        .map { Quote(symbol: "ACME", price: 120 + Double($0 * 7 % 50) / 10) }
        .share(over: bus, "quotes", replay: 1)
        .retry(patient)
        .subscribe(
            onNext: { say("published \($0.symbol) \($0.price)") }, onError: { say($0.localizedDescription, to: .standardError) },
            onDisposed: { MainLoop.stop(code: 1) }
        )
        .disposed(by: bag)
case "show":
    bus.shared("quotes", as: Quote.self, replay: 1)
        .subscribe(
            onNext: { say("\($0.symbol) \($0.price)") }, onError: { say($0.localizedDescription, to: .standardError) },
            onDisposed: { MainLoop.stop(code: 1) }
        )
        .disposed(by: bag)
default:
    say("usage: QuoteBus publish | show", to: .standardError)
    exit(2)
}

exit(MainLoop.run())
