import Foundation
import TerminalViews

/// What the keys have made of the dashboard so far. A pure value: each key makes the next state of the last one.
struct DashboardState: Sendable, Equatable {
    var query = Query()
    /// Whether keys go into the filter.
    var isEditingFilter = false
    var isPaused = false
    var isHelpShown = false
    /// Whether the detail pane has the whole screen.
    var isDetailOnly = false
    /// How often a refresh was asked for.
    var refreshes = 0
    /// Set when a key asked to end.
    var exitCode: Int32?

    /// The columns that sorting goes through.
    let sortableColumns: [Int]

    init(sortableColumns: [Int]) {
        self.sortableColumns = sortableColumns
        query.sorting = Table.Sorting(column: sortableColumns.first ?? 0)
    }

    /// The state after that key.
    func applying(_ key: Key) -> DashboardState {
        var next = self
        if key == .control("c") {
            next.exitCode = ExitCode.signal(SIGINT)
        } else if isEditingFilter {
            next.edit(key)
        } else if key.pasted != nil {
            // Whatever was pasted is no command.
            return self
        } else if isHelpShown, key != .character("q") {
            next.isHelpShown = false
        } else {
            next.obey(key)
        }
        return next
    }

    private mutating func obey(_ key: Key) {
        switch key {
        case .character("q"): exitCode = ExitCode.success
        case .character("p"), .character(" "): isPaused.toggle()
        case .character("r"): refreshes += 1
        case .character("s"): sortByNextColumn()
        case .character("S"): query.sorting = Table.Sorting(column: query.sorting.column, isAscending: !query.sorting.isAscending)
        case .character("/"): isEditingFilter = true
        case .character("?"), .function(1): isHelpShown = true
        case .enter: isDetailOnly.toggle()
        case .escape where isDetailOnly: isDetailOnly = false
        case .escape: query.filter = ""
        default: break
        }
    }

    private mutating func edit(_ key: Key) {
        switch key {
        case .enter: isEditingFilter = false
        case .escape:
            isEditingFilter = false
            query.filter = ""
        case .backspace: _ = query.filter.popLast()
        case .control("u"): query.filter = ""
        default:
            if let text = key.pasted { return paste(text) }
            if let character = key.typed { add(character) }
        }
    }

    /// On one line, without control characters.
    private mutating func paste(_ text: String) {
        for scalar in text.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            guard add(isControl ? " " : Character(scalar)) else { return }
        }
    }

    /// - Returns: whether there was room for it.
    @discardableResult
    private mutating func add(_ character: Character) -> Bool {
        guard query.filter.utf8.count < Self.mostFilterBytes, query.filter.count < Self.longestFilter else { return false }
        query.filter.append(character)
        return true
    }

    private mutating func sortByNextColumn() {
        guard let place = sortableColumns.firstIndex(of: query.sorting.column) else { return }
        query.sorting = Table.Sorting(column: sortableColumns[(place + 1) % sortableColumns.count])
    }

    private static let longestFilter = 60
    /// Bytes are counted first, which takes no time whatever was pasted: one letter can have any number of marks.
    private static let mostFilterBytes = 240
}
