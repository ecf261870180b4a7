import StreamsTesting
import Testing

@testable import GettingStarted

@Suite(.countsResources)
struct TickerTests {
    private let scheduler = TestScheduler()

    @Test("a line is emitted when the price changes, and not when it stays")
    func changes() {
        let rate = Observable.just(Rate(currency: "EUR", value: 0.5))
        #expect(
            lines([100, 100, 102], rate: rate, until: 3) == [.next(0, "ACME 50.00 EUR"), .next(2, "ACME 51.00 EUR")])
    }

    @Test("a rate that fails twice is there after 0.2 and 0.4 seconds of backoff")
    func backoff() {
        let attempts = BehaviorRelay(value: 0)
        let rate = Observable<Rate>.deferred {
            attempts.update { $0 += 1 }
            return attempts.value < 3 ? .error(TestError("down")) : .just(Rate(currency: "EUR", value: 0.5))
        }
        #expect(lines([100], rate: rate, until: 1).map(\.time) == [.milliseconds(600)])
    }

    private func lines(_ prices: [Double], rate: Observable<Rate>, until end: Int) -> [Recorded<String>] {
        let answers = BehaviorRelay(value: prices)
        let quote = Observable<Quote>.deferred {
            let price = answers.value[0]
            answers.update { $0 = $0.count > 1 ? Array($0.dropFirst()) : $0 }
            return .just(Quote(symbol: "ACME", price: price))
        }
        let ticker = Ticker(quote: quote, rate: rate, scheduler: scheduler)
        return scheduler.start(disposed: end) { ticker.lines }.events
    }
}

extension TickerTests {
    @Test("a rate that keeps failing leaves the last one in use")
    func outage() {
        let attempts = BehaviorRelay(value: 0)
        let rate = Observable<Rate>.deferred {
            attempts.update { $0 += 1 }
            return attempts.value > 1 ? .error(TestError("down")) : .just(Rate(currency: "EUR", value: 0.5))
        }
        let prices = (0..<8).map { 100 + Double($0) }
        #expect(lines(prices, rate: rate, until: 8).count == 8)
    }
}
