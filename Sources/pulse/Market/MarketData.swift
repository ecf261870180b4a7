import Foundation
import LoopbackServer
import Streams

/// A stock market of fictional companies: the service of the demo, with moving values for tests.
///
/// Prices are a random walk from a seed; one price moves at each tick. The walk depends only on the seed and the scheduler's time, so that
/// every value is deterministic under virtual time; it does not run without requests. Thread-safe.
///
/// | route | response |
/// |---|---|
/// | `GET /quotes` | all quotes as a JSON array, with `ETag` |
/// | `GET /quotes/:symbol` | one quote, 404 for an unknown symbol |
/// | `GET /quotes/stream` | server-sent events `quote`: all quotes, then each that moves; `Last-Event-ID` resumes |
/// | `GET /health` | `{"status":"ok"}` |
/// | `GET /delay/:milliseconds` | responds after that delay, at most a minute |
/// | `GET /status/:code` | that status, 200 to 599 |
/// | `GET /flaky` | in turn 200, 200, 503, 200, 500 |
/// | `GET /download/:bytes` | that many bytes, resumable |
final class MarketData: Sendable {
    /// The price of a company's stock at a tick.
    struct Quote: Codable, Sendable, Equatable {
        /// The short name, such as `ACME`.
        let symbol: String
        /// The company's name.
        let name: String
        /// The current price.
        var price: Double
        /// The first price.
        let open: Double
        /// The highest price so far.
        var high: Double
        /// The lowest price so far.
        var low: Double
        /// The current price minus the first price.
        var change: Double
        /// The change in percent of the first price.
        var changePercent: Double
        /// The number of stocks sold so far.
        var volume: Int
        /// The tick of the last price change.
        var tick: Int
    }

    /// A company on the market.
    struct Listing: Sendable, Equatable {
        /// The short name.
        let symbol: String
        /// The company's name.
        let name: String
        /// The first price, above zero.
        let openingPrice: Double

        /// Creates a listing.
        init(symbol: String, name: String, openingPrice: Double) {
            self.symbol = symbol
            self.name = name
            self.openingPrice = max(0.01, openingPrice)
        }
    }

    private let interval: Duration
    private let scheduler: any Scheduler
    private let origin: Duration
    private let walk: Lock<RandomWalk>

    /// Creates a market.
    /// - Parameters:
    ///   - seed: the seed of the walk; equal seeds produce equal walks.
    ///   - interval: the time between two ticks.
    ///   - listings: the companies.
    ///   - scheduler: provides the time of the market, and runs its streams.
    init(
        seed: UInt64 = 1, interval: Duration = .milliseconds(200), listings: [Listing] = MarketData.listings, scheduler: any Scheduler
    ) {
        self.interval = max(interval, .milliseconds(1))
        self.scheduler = scheduler
        origin = scheduler.now
        walk = Lock(RandomWalk(seed: seed, listings: listings))
    }

    /// The current quotes.
    var quotes: [Quote] { atNow { $0.quotes } }

    /// Returns the current quote of a symbol.
    func quote(_ symbol: String) -> Quote? {
        quotes.first { $0.symbol == symbol.uppercased() }
    }

    /// Emits each quote that moves after that tick (by default, the current one) on the scheduler. Moves that are too old are skipped.
    func moves(after tick: Int? = nil) -> Observable<Quote> {
        .create { [self] observer in
            let seen = Lock(tick ?? atNow { $0.tick })
            return scheduler.schedulePeriodic(after: tick == nil ? interval : .zero, every: interval) { [self] in
                for quote in atNow({ walk in seen.withLock { walk.moves(after: $0) } }) {
                    seen.withLock { $0 = quote.tick }
                    observer.onNext(quote)
                }
            }
        }
    }

    /// The companies of the demo.
    static let listings = [
        Listing(symbol: "ACME", name: "Acme Anvils", openingPrice: 128.40),
        Listing(symbol: "BLUE", name: "Blue Harbor Shipping", openingPrice: 43.15),
        Listing(symbol: "CRNX", name: "Corvid Analytics", openingPrice: 311.00),
        Listing(symbol: "DELV", name: "Delver Mining", openingPrice: 17.82),
        Listing(symbol: "EMBR", name: "Ember Foods", openingPrice: 66.09),
        Listing(symbol: "FJRD", name: "Fjord Hydro", openingPrice: 92.75),
        Listing(symbol: "GLDR", name: "Glider Aerospace", openingPrice: 204.30),
        Listing(symbol: "HAZE", name: "Haze Optics", openingPrice: 8.64),
        Listing(symbol: "IRIS", name: "Iris Medical", openingPrice: 154.55),
        Listing(symbol: "JUNO", name: "Juno Robotics", openingPrice: 77.20),
        Listing(symbol: "KELP", name: "Kelp & Daughters", openingPrice: 25.95),
        Listing(symbol: "LUMA", name: "Luma Lighting", openingPrice: 51.38),
    ]

    private func atNow<Result>(_ body: (RandomWalk) -> Result) -> Result {
        let target = Int((scheduler.now - origin) / interval)
        let current = walk.withLock { walk in
            walk.advance(to: target)
            return walk
        }
        return body(current)
    }
}
