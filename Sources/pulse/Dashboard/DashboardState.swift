import Foundation
import TerminalViews

/// The state of the dashboard, as changed by keys. A value type: each key maps the previous state to the next.
struct DashboardState: Sendable, Equatable {
    var query = Query()
    /// Whether keys edit the filter.
    var isEditingFilter = false
    var isPaused = false
    var isHelpShown = false
    /// Whether the detail pane fills the screen.
    var isDetailOnly = false
    /// The number of requested refreshes.
    var refreshes = 0
    /// Set when a key requests to quit.
    var exitCode: Int32?

    /// The columns that sorting cycles through.
    let sortableColumns: [Int]

    init(sortableColumns: [Int]) {
        self.sortableColumns = sortableColumns
        query.sorting = Table.Sorting(column: sortableColumns.first ?? 0)
    }

    /// Returns the state after that key.
    func applying(_ key: Key) -> DashboardState {
        var next = self
        if key == .control("c") {
            next.exitCode = ExitCode.signal(SIGINT)
        } else if isEditingFilter {
            next.edit(key)
        } else if key.pasted != nil {
            // Pasted text is never a command.
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

    /// Inserts the text on one line, without control characters.
    private mutating func paste(_ text: String) {
        for scalar in text.unicodeScalars {
            let isControl = scalar.properties.generalCategory == .control
            guard add(isControl ? " " : Character(scalar)) else { return }
        }
    }

    /// - Returns: whether it fitted.
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
    /// Bytes are limited too, because a single character can have any number of combining marks.
    private static let mostFilterBytes = 240
}
