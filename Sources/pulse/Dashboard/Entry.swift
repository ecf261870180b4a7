import TerminalViews

/// An item of a dashboard: its row, its sort and search keys, and its details.
struct Entry: Sendable, Equatable {
    let id: String
    /// The values of the columns.
    let values: [Table.Value]
    /// The sort keys of the columns, in the same order.
    let sortKeys: [SortKey]
    let detail: Detail

    struct Detail: Sendable, Equatable {
        let title: StyledText
        /// Details, one per line.
        let facts: StyledText
        /// The numbers of the large sparkline.
        let history: Series
        var historyStyle = Style.plain
    }

    enum SortKey: Sendable, Equatable {
        case text(String)
        case number(Double)
    }
}

extension Entry.SortKey: Comparable {
    /// Numbers before text; NaN after all numbers.
    static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right || !left.isNaN && right.isNaN
        case (.text(let left), .text(let right)): left < right
        case (.number, .text): true
        case (.text, .number): false
        }
    }
}

/// Which entries are shown, and in what order.
struct Query: Sendable, Equatable {
    var filter = ""
    var sorting = Table.Sorting(column: 0)

    /// Returns the matching entries, sorted; the sort is stable.
    func apply(to entries: [Entry]) -> [Entry] {
        let column = sorting.column
        let words = filter.lowercased().split(separator: " ")
        let found = words.isEmpty ? entries : entries.filter { entry in words.allSatisfy(entry.searchText.contains) }
        let sorted = found.enumerated().sorted { left, right in
            guard let first = left.element.sortKey(column), let second = right.element.sortKey(column), first != second else {
                return left.offset < right.offset
            }
            return sorting.isAscending ? first < second : second < first
        }
        return sorted.map(\.element)
    }
}

extension Entry {
    fileprivate func sortKey(_ column: Int) -> SortKey? {
        sortKeys.indices.contains(column) ? sortKeys[column] : nil
    }

    /// The visible text of the entry, in lower case.
    fileprivate var searchText: String {
        values
            .compactMap { if case .text(let text) = $0 { text.string } else { nil } }
            .joined(separator: " ")
            .lowercased()
    }
}
