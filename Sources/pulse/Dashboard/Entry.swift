import TerminalViews

/// An item of a dashboard: its row, its sort and search keys, and its details.
struct Entry: Sendable {
    /// The values of the columns.
    let row: Table.Row
    /// The sort keys of the columns, in the same order.
    let sortKeys: [SortKey]
    private let makeDetail: Boxed<@Sendable () -> Detail>

    /// Creates an entry whose details are made on request: of many entries only one is selected.
    init(id: String, values: [Table.Value], sortKeys: [SortKey], detail: @autoclosure @escaping @Sendable () -> Detail) {
        row = Table.Row(id: id, values)
        self.sortKeys = sortKeys
        makeDetail = Boxed(detail)
    }

    /// Creates an entry that its owner sorts and filters.
    init(row: Table.Row, detail: @escaping @Sendable () -> Detail) {
        self.row = row
        sortKeys = []
        makeDetail = Boxed(detail)
    }

    var id: String { row.id }

    /// The details, created at each call.
    var detail: Detail { makeDetail.value() }

    /// Whether both are the same entry in the same state.
    func isSame(as other: Entry) -> Bool { makeDetail === other.makeDetail }

    struct Detail: Sendable, Equatable {
        let title: StyledText
        /// Details, one per line.
        let facts: StyledText
        let chart: Chart
        /// The text below the chart, if there is room.
        var list = StyledText("")
        /// Further pages of the pane.
        var pages: [Page] = []
    }

    struct Page: Sendable, Equatable {
        let title: StyledText
        let text: StyledText
    }

    /// The content of a chart.
    struct Chart: Sendable, Equatable {
        let points: [TerminalViews.Chart.Point]
        let axis: TerminalViews.Chart.Axis
        var hold = 0.0
        var baseline: Double?
        /// The text at the axis if no point has a value.
        var placeholder = ""
        var unit = Unit.price
        var style = Style.plain
    }

    /// The unit of the numbers in a chart.
    enum Unit: Sendable, Equatable {
        case milliseconds
        case price
        /// Elements per second.
        case rate

        func text(_ value: Double) -> String {
            switch self {
            case .milliseconds: value == 0 ? "0 ms" : Wording.milliseconds(value)
            case .price: Wording.number(value, places: 2)
            case .rate: "\(Wording.rate(value))/s"
            }
        }
    }

    enum SortKey: Sendable, Equatable {
        case text(String)
        case number(Double)
    }
}

extension Entry.SortKey {
    fileprivate var isUnknown: Bool { if case .number(let number) = self { number.isNaN } else { false } }
}

extension Entry.SortKey: Comparable {
    /// Orders numbers before text, and NaN after all numbers.
    static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right || !left.isNaN && right.isNaN
        case (.text(let left), .text(let right)): left < right
        case (.number, .text): true
        case (.text, .number): false
        }
    }
}

/// The filter and the order of the entries that are shown.
struct Query: Sendable, Equatable {
    var filter = ""
    var sorting = Table.Sorting(column: 0)

    /// Returns the matching entries, sorted; the sort is stable.
    func apply(to entries: [Entry]) -> [Entry] {
        let column = sorting.column
        let words = filter.lowercased().split(separator: " ")
        let found = words.isEmpty ? entries : entries.filter { entry in words.allSatisfy(entry.searchText.contains) }
        let keys = found.map { $0.sortKey(column) }
        let order = found.indices.sorted { left, right in
            guard let first = keys[left], let second = keys[right], first != second else { return left < right }
            // Unknown values come last in either order.
            guard !first.isUnknown, !second.isUnknown else { return first.isUnknown == second.isUnknown ? left < right : second.isUnknown }
            return sorting.isAscending ? first < second : second < first
        }
        return order.map { found[$0] }
    }
}

extension Entry {
    fileprivate func sortKey(_ column: Int) -> SortKey? {
        sortKeys.indices.contains(column) ? sortKeys[column] : nil
    }

    /// The visible text of the entry, in lower case.
    fileprivate var searchText: String {
        row.values
            .compactMap { if case .text(let text) = $0 { text.string } else { nil } }
            .joined(separator: " ")
            .lowercased()
    }
}

/// The content of a dashboard at one moment.
struct Content: Sendable {
    let isEmpty: Bool
    /// A summary in a few words: `8/9 up`.
    let heading: StyledText
    var columns: [Table.Column]?
    /// A problem of the source as a whole; `nil` if there is none.
    var notice: String?
    /// Whether every entry has values.
    var isSettled = true
    /// Returns the entries that match a query, in its order.
    let entries: @Sendable (Query) -> [Entry]

    /// Creates the content from a list of entries.
    init(entries: [Entry], heading: StyledText, columns: [Table.Column]? = nil, notice: String? = nil, isSettled: Bool = true) {
        self.init(isEmpty: entries.isEmpty, heading: heading, columns: columns, notice: notice) { $0.apply(to: entries) }
        self.isSettled = isSettled
    }

    /// Creates content whose entries are found and sorted in a way of their own.
    init(
        isEmpty: Bool, heading: StyledText, columns: [Table.Column]?, notice: String?, entries: @escaping @Sendable (Query) -> [Entry]
    ) {
        (self.isEmpty, self.heading, self.columns, self.notice, self.entries) = (isEmpty, heading, columns, notice, entries)
    }
}

/// A value behind a reference, so that arrays of large values are cheap to copy: for each check, a board of 200 endpoints is copied.
final class Boxed<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
