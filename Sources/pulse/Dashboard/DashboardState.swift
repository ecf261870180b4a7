import Foundation
import TerminalViews

/// The state of the dashboard, as changed by keys. A value type: each input maps the previous state to the next.
struct DashboardState: Sendable, Equatable {
    var query = Query()
    /// The filter, while keys edit it and afterwards.
    var filter = TextField.Input(limit: longestFilter)
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

    /// The columns that sorting cycles through, if they are shown.
    let sortableColumns: [Int]
    /// The columns that sort their largest value to the top at first.
    let largestFirst: Set<Int>
    /// The columns of the list that fit; `nil` before the first drawing.
    var shownColumns: [Int]?

    /// An input that changes the state.
    enum Input: Sendable, Equatable {
        case key(Key)
        /// The title of a column was clicked.
        case title(Int)
        /// These columns fit into the list.
        case columns([Int])
    }

    init(sortableColumns: [Int], largestFirst: Set<Int> = []) {
        self.sortableColumns = sortableColumns
        self.largestFirst = largestFirst
        query.sorting = sorting(by: sortableColumns.first ?? 0)
    }

    private func sorting(by column: Int) -> Table.Sorting {
        Table.Sorting(column: column, isAscending: !largestFirst.contains(column))
    }

    /// Returns the state after that input.
    func applying(_ input: Input) -> DashboardState {
        switch input {
        case .key(let key): applying(key)
        case .title(let column): sorted(by: column)
        case .columns(let columns): showing(columns)
        }
    }

    /// Returns the state after that key.
    func applying(_ key: Key) -> DashboardState {
        var next = self
        let action = DashboardKeys.all[key]
        if case .quit(let code) = action, code != ExitCode.success || !isEditingFilter {
            // Where `q` is text, only the keys of signals quit.
            next.exitCode = code
        } else if isHelpShown {
            next.closeHelp(key, action)
        } else if isEditingFilter {
            next.edit(key)
        } else if let action {
            next.perform(action)
        }
        return next
    }

    private mutating func perform(_ action: DashboardAction) {
        switch action {
        case .pause: isPaused.toggle()
        case .refresh: refreshes += 1
        case .sort where !isDetailOnly: sortByNextColumn()
        case .reverse where !isDetailOnly: query.sorting = query.sorting.reversed
        case .filter: isEditingFilter = true
        case .help: isHelpShown = true
        case .details: isDetailOnly.toggle()
        case .back where isDetailOnly: isDetailOnly = false
        case .back: clearFilter()
        case .quit, .sort, .reverse, .redraw, .suspend, .move, .turn, .command: break
        }
    }

    /// Keys that scroll keep the help open, and every other key closes it.
    private mutating func closeHelp(_ key: Key, _ action: DashboardAction?) {
        let isWheel = [.wheelUp, .wheelDown, .release].contains(key.mouse?.action)
        if case .move = action { return }
        guard key.pasted == nil, !isWheel else { return }
        isHelpShown = false
    }

    private mutating func edit(_ key: Key) {
        switch key {
        case .enter: isEditingFilter = false
        case .escape:
            isEditingFilter = false
            clearFilter()
        default:
            filter.handle(key)
            query.filter = filter.text
        }
    }

    private mutating func clearFilter() {
        filter = TextField.Input(limit: Self.longestFilter)
        query.filter = ""
    }

    private mutating func sortByNextColumn() {
        guard let place = sortableColumns.firstIndex(of: query.sorting.column) else { return }
        let others = sortableColumns[(place + 1)...] + sortableColumns[..<place]
        guard let next = others.first(where: { shownColumns?.contains($0) ?? true }) else { return }
        query.sorting = sorting(by: next)
    }

    private func showing(_ columns: [Int]) -> DashboardState {
        var next = self
        next.shownColumns = columns
        return next
    }

    private func sorted(by column: Int) -> DashboardState {
        guard sortableColumns.contains(column) else { return self }
        var next = self
        next.query.sorting = column == query.sorting.column ? query.sorting.reversed : sorting(by: column)
        return next
    }

    private static let longestFilter = 60
}

extension DashboardState {
    /// The part of the screen that has the keys.
    enum Pane: Sendable, Equatable {
        case list, details, filter, help
    }

    var pane: Pane {
        if isHelpShown { return .help }
        if isEditingFilter { return .filter }
        return isDetailOnly ? .details : .list
    }

    /// A letter that belongs to the content, and the entry that was selected when it was typed.
    struct KeyCommand: Sendable, Equatable {
        let letter: Character
        let selection: String?
    }

    /// Returns the letter, if the dashboard gives it no meaning of its own and it is no part of a filter.
    func command(of key: Key) -> Character? {
        guard let letter = key.typed, pane != .help, pane != .filter else { return nil }
        return DashboardKeys.all[key] == nil ? letter : nil
    }

    /// Returns the key that goes to the views, with vim's letters translated; `nil` for a key that is the dashboard's own.
    func viewKey(of key: Key) -> Key? {
        if key.mouse != nil { return key }
        // The other keys edit the filter.
        guard pane != .filter else { return [.up, .down, .pageUp, .pageDown].contains(key) ? key : nil }
        switch DashboardKeys.all[key] {
        case .move(let key): return key
        case .turn(let key): return pane == .help ? nil : key
        default: return nil
        }
    }
}

extension Table.Sorting {
    fileprivate var reversed: Table.Sorting { Table.Sorting(column: column, isAscending: !isAscending) }
}
