import TerminalViews

/// The state of the market: the latest quotes, and the prices of the last minute for the sparklines.
struct MarketBoard: Sendable, Equatable {
    /// The quotes in the order in which the service first reported them.
    private(set) var quotes: [Quote] = []
    /// The last problem; `nil` after the next successful update.
    private(set) var problem: String?
    private var prices: [String: Sparkline.Series] = [:]

    /// Returns the board after one more event. O(quotes x stored prices).
    func applying(_ event: MarketEvent) -> MarketBoard {
        var next = self
        switch event {
        case .quotes(let news):
            next.problem = nil
            for quote in news { next.note(quote) }
        case .sample:
            for quote in quotes { next.prices[quote.symbol, default: Sparkline.Series(capacity: Self.keptPrices)].append(quote.price) }
        case .problem(let sentence):
            next.problem = sentence
        }
        return next
    }

    private mutating func note(_ quote: Quote) {
        guard let place = quotes.firstIndex(where: { $0.symbol == quote.symbol }) else { return quotes.append(quote) }
        quotes[place] = quote
    }

    static let columns: [Table.Column] = [
        Table.Column("Symbol", width: .fixed(8)), Table.Column("Company", width: .fit, rank: 3, minimum: 12),
        Table.Column("Price", width: .fixed(10), alignment: .trailing),
        Table.Column("Change", width: .fixed(9), alignment: .trailing, rank: 1),
        Table.Column("Volume", width: .fixed(9), alignment: .trailing, rank: 4),
        Table.Column("Last minute", width: .flexible(minimum: 11), rank: 2),
    ]
    static let sortableColumns = [0, 2, 3, 4]

    var entries: [Entry] { quotes.map(entry) }

    private func entry(_ quote: Quote) -> Entry {
        let prices = prices[quote.symbol, default: []]
        let color = Self.color(quote.changePercent)
        return Entry(
            id: quote.symbol,
            values: [
                .text(StyledText(quote.symbol, .bold)), .text(StyledText(quote.name)),
                .text(StyledText(Wording.number(quote.price, places: 2))),
                .text(StyledText(Wording.change(quote.changePercent), Style(color))), .text(StyledText("\(quote.volume)")),
                .sparkline(prices, Style(color)),
            ],
            sortKeys: [
                .text(quote.symbol), .text(quote.name), .number(quote.price), .number(quote.changePercent), .number(Double(quote.volume)),
            ],
            detail: Entry.Detail(
                title: StyledText("\(quote.symbol)  ", .bold) + StyledText(quote.name),
                facts: Self.facts(quote),
                chart: Self.chart(prices, Style(color))
            )
        )
    }

    /// A price has no baseline: only its movement matters.
    private static func chart(_ prices: Sparkline.Series, _ style: Style) -> Entry.Chart {
        let count = prices.values.count
        return Entry.Chart(
            points: prices.values.enumerated().map { Chart.Point(x: Double($0.offset + 1 - count), y: $0.element) },
            axis: Chart.Axis(Double(1 - keptPrices)...0, from: "1 minute ago", to: "now"), hold: 1, unit: .price, style: style)
    }

    private static func facts(_ quote: Quote) -> StyledText {
        let fact = { (name: String, value: String) in
            StyledText(name + " ", .dim) + StyledText(TerminalText.padded(value, to: 10))
        }
        let price = { (value: Double) in Wording.number(value, places: 2) }
        let first = fact("price ", price(quote.price)) + StyledText(Wording.change(quote.changePercent), Style(color(quote.changePercent)))
        let second = fact("open  ", price(quote.open)) + fact("high", price(quote.high)) + fact("low", price(quote.low))
        return first + "\n" + second + "\n" + fact("volume", "\(quote.volume)")
    }

    private static func color(_ change: Double) -> Color {
        change >= 0 ? .green : .red
    }

    /// The number of prices that are kept: one minute at four samples a second.
    private static let keptPrices = 240
}
