public import NetNodes

/// A price of a company.
public struct Quote: Codable, Equatable, Sendable {
    public let symbol: String
    public let price: Double

    public init(symbol: String, price: Double) {
        self.symbol = symbol
        self.price = price
    }
}

/// The model of the watcher: the latest quotes, asked for at an interval.
public struct QuoteModel: Sendable {
    private let quotes: any Node<Void, [Quote]>
    private let scheduler: any Scheduler

    public init(quotes: any Node<Void, [Quote]>, scheduler: any Scheduler) {
        self.quotes = quotes
        self.scheduler = scheduler
    }

    /// A line each time the quotes have changed; an answer that fails is skipped after one more attempt.
    public func lines(every interval: Duration) -> Observable<[String]> {
        Observable<Int>.timer(.zero, period: interval, scheduler: scheduler)
            .flatMapLatest { [quotes] _ in quotes.stream().retry(2).catch { _ in .empty() } }
            .distinctUntilChanged()
            .map { quotes in quotes.map { "\($0.symbol) \($0.price)" } }
    }
}

extension Quote {
    /// Streams of pairs of any two values, each of which emits the pair last.
    ///
    /// In a release build the compiler of Swift 6.3.1 crashes on generic code where an inlinable operator captures the pair.
    public static func pairs<First: Sendable, Second: Sendable>(_ first: First, _ second: Second) -> [Observable<(First, Second)>] {
        let pair = (first, second)
        let pairs = Observable.from(repeatElement(pair, count: 2))
        return [
            .just(pair), pairs, pairs.mapTo(pair), pairs.map { _ in Optional<(First, Second)>.none }.replaceNil(with: pair),
            pairs.scan(pair) { _, next in next }, pairs.scan(into: pair) { last, next in last = next },
            pairs.reduce(pair) { _, next in next }, pairs.reduce(into: pair) { last, next in last = next },
            pairs.reduce(pair, accumulator: { _, next in next }, mapResult: { $0 }),
            Observable.error(CancellationError()).catchAndReturn(pair), Observable.empty().ifEmpty(default: pair),
            Observable.never().sample(pairs, defaultValue: pair).take(1),
        ]
    }
}
