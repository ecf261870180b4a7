import TerminalViews

/// What is known of the market: the latest quotes, and the prices of the last minute for the sparklines.
struct MarketBoard: Sendable, Equatable {
    private(set) var quotes: [Quote] = []
    /// Why the last answer did not come; nil when it did.
    private(set) var problem: String?
    private var prices: [String: [Double]] = [:]

    /// The board after one more answer of the service. O(quotes x kept prices).
    func adding(_ quotes: [Quote]) -> MarketBoard {
        var next = self
        next.quotes = quotes
        next.problem = nil
        next.prices = Dictionary(
            quotes.map { ($0.symbol, (prices[$0.symbol, default: []] + [$0.price]).suffix(Self.keptPrices)) },
            uniquingKeysWith: { first, _ in first }
        ).mapValues(Array.init)
        return next
    }

    /// The board when an answer failed: the last quotes stay.
    func failing(_ problem: String) -> MarketBoard {
        var next = self
        next.problem = problem
        return next
    }

    static let columns: [Table.Column] = [
        Table.Column("Symbol", width: .fixed(9)), Table.Column("Company", width: .flexible(minimum: 10, maximum: 24)),
        Table.Column("Price", width: .fixed(10), alignment: .trailing), Table.Column("Change", width: .fixed(9), alignment: .trailing),
        Table.Column("Volume", width: .fixed(9), alignment: .trailing), Table.Column("Last minute", width: .flexible(weight: 2, minimum: 10)),
    ]
    static let sortableColumns = [0, 2, 3, 4]

    var entries: [Entry] { quotes.map(entry) }

    private func entry(_ quote: Quote) -> Entry {
        let prices = prices[quote.symbol, default: []]
        let color = Self.color(quote.changePercent)
        return Entry(
            id: quote.symbol,
            values: [
                .text(StyledText(quote.symbol, .bold)), .text(StyledText(quote.name)), .text(StyledText(Wording.number(quote.price, places: 2))),
                .text(StyledText(Self.percent(quote.changePercent), Style(color))), .text(StyledText("\(quote.volume)")),
                .sparkline(prices, Style(color)),
            ],
            sortKeys: [
                .text(quote.symbol), .text(quote.name), .number(quote.price), .number(quote.changePercent), .number(Double(quote.volume)),
            ],
            detail: Entry.Detail(
                title: StyledText("\(quote.symbol)  ", .bold) + StyledText(quote.name),
                facts: Self.facts(quote),
                history: prices,
                historyStyle: Style(color)
            )
        )
    }

    private static func facts(_ quote: Quote) -> StyledText {
        let fact = { (name: String, value: String) in
            StyledText(name + " ", .dim) + StyledText(TerminalText.padded(value, to: 10))
        }
        let price = { (value: Double) in Wording.number(value, places: 2) }
        let first = fact("price ", price(quote.price)) + StyledText(percent(quote.changePercent), Style(color(quote.changePercent)))
        let second = fact("open  ", price(quote.open)) + fact("high", price(quote.high)) + fact("low", price(quote.low))
        return first + "\n" + second + "\n" + fact("volume", "\(quote.volume)")
    }

    private static func percent(_ value: Double) -> String {
        (value >= 0 ? "+" : "") + Wording.number(value, places: 2) + " %"
    }

    private static func color(_ change: Double) -> Color {
        change >= 0 ? .green : .red
    }

    /// A minute of four answers a second.
    private static let keptPrices = 240
}
