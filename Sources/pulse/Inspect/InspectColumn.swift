import NetNodes
import StreamsInspector
import TerminalViews

/// The columns of the tree, by their position.
enum InspectColumn: Int, CaseIterable {
    case tree, state, elements, rate, queue, errors, last, age, place

    /// The columns through which sorting cycles: the order of the tree, heat, depth of queues, age, place.
    static let sortable = [tree, rate, queue, age, place, elements, errors].map(\.rawValue)
    static let largestFirst = Set([elements, rate, queue, errors, age].map(\.rawValue))

    /// The number of a node by which it is sorted; `nil` if the column has no numbers.
    var value: (@Sendable (InspectorSnapshot.Node) -> Double)? {
        switch self {
        case .tree, .state, .last, .place: nil
        case .elements: { Double($0.elements) }
        case .rate: { $0.rate }
        case .queue: { node in node.queues.reduce(0.0) { max($0, Double($1.count)) } }
        case .errors: { Double($0.errors) }
        case .age: { $0.age }
        }
    }

    /// Returns the columns. None has the width of its content, so that of many rows only the visible ones are laid out.
    static func columns(hasErrors: Bool) -> [Table.Column] {
        var columns = [
            Table.Column("Operator", width: .flexible(weight: 2, minimum: 14)),
            Table.Column("State", width: .fixed(9), rank: 2),
            Table.Column("Elements", width: .fixed(8), alignment: .trailing, rank: 5),
            Table.Column("Rate", width: .fixed(6), alignment: .trailing, rank: 1),
            Table.Column("Queue", width: .fixed(9), alignment: .trailing, rank: 4),
            Table.Column("Errors", width: .fixed(6), alignment: .trailing, rank: 3),
            Table.Column("Last", width: .fixed(6), alignment: .trailing, rank: 3),
            Table.Column("Age", width: .fixed(6), alignment: .trailing, rank: 6),
            Table.Column("Place", width: .flexible(minimum: 16, maximum: placeWidth), rank: 3),
        ]
        columns[Self.errors.rawValue].isHidden = !hasErrors
        return columns
    }

    /// The columns of the growth. They have the same positions, so that sorting by one means nearly the same.
    static let growthColumns =
        [
            Table.Column("Operator", width: .flexible(weight: 2, minimum: 10)),
            Table.Column("Grew", width: .fixed(9)),
            Table.Column("Now", width: .fixed(8), alignment: .trailing, rank: 2),
            Table.Column("Rate", width: .fixed(7), alignment: .trailing, rank: 3),
            Table.Column("Before", width: .fixed(9), alignment: .trailing, rank: 4),
        ] + [errors, last, age].map { _ in hidden } + [Table.Column("Place", width: .flexible(minimum: 16, maximum: placeWidth), rank: 1)]

    private static var hidden: Table.Column {
        var column = Table.Column("")
        column.isHidden = true
        return column
    }

    static let placeWidth = 28
}

extension InspectorSnapshot.Node {
    /// The current activity of the node, in a word.
    var status: String {
        if object != nil { return "object" }
        return switch state {
        case .finished: "finished"
        case .suspended: "suspended"
        case .active: sharing?.isConnected == false ? "unlinked" : limiter?.isWaiting == true ? "waiting" : "active"
        }
    }

    /// The queue that is fullest in proportion to its bound.
    var fullestQueue: Queue? {
        queues.max { ($0.fill, $0.count) < ($1.fill, $1.count) }
    }

    /// `map`, with the name of a `trace`, and its subject.
    var title: String {
        let title = name.map { "\(operatorName) “\($0)”" } ?? operatorName
        return summary.map { "\(title)  \($0)" } ?? title
    }
}

extension InspectorSnapshot.Node.Queue {
    /// The fill level, from 0, empty, to 1, full.
    var fill: Double { bound.map { count == 0 ? 0 : Double(count) / Double(max($0, 1)) } ?? 0 }

    /// `3/100`, or `3` if it is unbounded.
    var text: String { bound.map { "\(Wording.compact(Double(count)))/\(Wording.compact(Double($0)))" } ?? Wording.compact(Double(count)) }
}

extension InspectorSnapshot.Node.Place {
    /// The name of the file and the line.
    var short: String {
        let name = "\(file.split(separator: "/").last ?? ""):\(line)"
        return TerminalText.clippedInMiddle(name, to: InspectColumn.placeWidth, keeping: InspectColumn.placeWidth / 2)
    }
}

extension Wording {
    /// A count in at most six columns: `12345`, `123 k`, `12.3 M`.
    static func compact(_ count: Double) -> String {
        switch count {
        case ..<99_999.5: number(count, places: 0)
        case ..<999_500: number(count / 1e3, places: 0) + " k"
        case ..<99_950_000: number(count / 1e6, places: 1) + " M"
        case ..<999_500_000: number(count / 1e6, places: 0) + " M"
        default: number(min(count / 1e9, 9_999), places: count < 99_950_000_000 ? 1 : 0) + " G"
        }
    }

    /// Returns the elements per second, without a unit: `0.5`, `12.3`, `456`.
    static func rate(_ rate: Double) -> String {
        rate < 99.95 ? number(rate, places: rate > 0 ? 1 : 0) : compact(rate)
    }
}
