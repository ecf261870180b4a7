/// A random number generator whose numbers depend only on its seed.
///
/// Source: [SplitMix64](https://prng.di.unimi.it/splitmix64.c).
struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The market as a pure function of a seed and a number of ticks: each tick moves one price.
struct RandomWalk: Sendable {
    /// The number of recent moves kept for clients that resume.
    static let rememberedTicks = 256
    /// The maximum number of steps after a longer pause: a server that slept for a week does not compute the whole week.
    private static let longestCatchUp = 100_000
    private static let volatility = 0.004

    private(set) var tick = 0
    private(set) var quotes: [MarketData.Quote]
    private var recent: [MarketData.Quote] = []
    private var random: SplitMix

    init(seed: UInt64, listings: [MarketData.Listing]) {
        random = SplitMix(seed: seed)
        quotes = listings.map(MarketData.Quote.init)
    }

    /// Advances to that tick.
    mutating func advance(to target: Int) {
        tick = max(tick, target - Self.longestCatchUp)
        while tick < target { step() }
    }

    /// Returns the recorded moves after that tick, oldest first.
    func moves(after tick: Int) -> [MarketData.Quote] {
        recent.filter { $0.tick > tick }
    }

    private mutating func step() {
        tick += 1
        guard let index = quotes.indices.randomElement(using: &random) else { return }
        // The sum of three uniform distributions approximates a normal one.
        let pull = (0..<3).reduce(-1.5) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
        quotes[index].move(by: pull * Self.volatility, volume: Int.random(in: 1...500, using: &random), tick: tick)
        recent.append(quotes[index])
        if recent.count >= 2 * Self.rememberedTicks { recent.removeFirst(Self.rememberedTicks) }
    }
}

extension MarketData.Quote {
    fileprivate init(_ listing: MarketData.Listing) {
        self.init(
            symbol: listing.symbol, name: listing.name, price: listing.openingPrice, open: listing.openingPrice, high: listing.openingPrice,
            low: listing.openingPrice, change: 0, changePercent: 0, volume: 0, tick: 0)
    }

    fileprivate mutating func move(by part: Double, volume added: Int, tick: Int) {
        price = max(0.01, Self.cents(price * (1 + part)))
        high = max(high, price)
        low = min(low, price)
        change = Self.cents(price - open)
        changePercent = Self.cents(100 * (price - open) / open)
        volume += added
        self.tick = tick
    }

    private static func cents(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
