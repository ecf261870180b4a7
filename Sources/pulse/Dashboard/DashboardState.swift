import Foundation
import TerminalViews

/// The state of the dashboard, as changed by keys. A value type: each input maps the previous state to the next.
struct DashboardState: Sendable, Equatable {
    var query = Query()
    /// The filter, while keys edit it and afterwards.
    var filter = TextInput(limit: longestFilter)
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
        if key == .control("c") {
            next.exitCode = ExitCode.signal(SIGINT)
        } else if key == .control("\\") {
            next.exitCode = ExitCode.signal(SIGQUIT)
        } else if isHelpShown {
            next.closeHelp(key)
        } else if isEditingFilter {
            next.edit(key)
        } else if key.pasted != nil || key.mouse != nil {
            // Pasted text is never a command.
            return self
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
        case .character("s") where !isDetailOnly: sortByNextColumn()
        case .character("S") where !isDetailOnly: query.sorting = query.sorting.reversed
        case .character("/"): isEditingFilter = true
        case .character("?"), .function(1): isHelpShown = true
        case .enter: isDetailOnly.toggle()
        case .escape where isDetailOnly: isDetailOnly = false
        case .escape: clearFilter()
        default: break
        }
    }

    /// Keys that scroll keep the help open, `q` quits, as the footer says, and every other key closes it.
    private mutating func closeHelp(_ key: Key) {
        if key == .character("q") { return exitCode = ExitCode.success }
        let isWheel = [.wheelUp, .wheelDown, .release].contains(key.mouse?.action)
        guard key.pasted == nil, !isWheel, key.navigation == nil else { return }
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
        filter = TextInput(limit: Self.longestFilter)
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
    /// The view to which a key belongs, and the meaning of the key there.
    enum Route: Sendable, Equatable {
        case help(Key)
        /// The list, or the view at which the mouse points.
        case list(Key)
        case details(Key)
    }

    /// A letter that belongs to the content, and the entry that was selected when it was typed.
    struct Command: Sendable, Equatable {
        let letter: Character
        let selection: String?
    }

    /// Returns the letter, if the dashboard gives it no meaning of its own and it is no part of a filter.
    func command(of key: Key) -> Character? {
        guard case .character(let letter) = key.code, key.modifiers.isEmpty, !isHelpShown, !isEditingFilter else { return nil }
        return key.navigation == nil && key.pageTurn == nil && applying(key) == self ? letter : nil
    }

    /// Returns the view to which that key goes; `nil` if it belongs to no view.
    func route(of key: Key) -> Route? {
        if isHelpShown { return (key.mouse.map { _ in key } ?? key.navigation).map(Route.help) }
        if key.mouse != nil { return .list(key) }
        guard !isEditingFilter else { return [.up, .down, .pageUp, .pageDown].contains(key) ? .list(key) : nil }
        if let page = key.pageTurn { return .details(page) }
        guard let key = key.navigation else { return nil }
        return isDetailOnly && [.pageUp, .pageDown].contains(key) ? .details(key) : .list(key)
    }
}

extension Key {
    /// The key that moves a selection or scrolls, with vim's letters translated; `nil` for any other key.
    var navigation: Key? {
        switch self {
        case .up, .down, .pageUp, .pageDown, .home, .end: self
        case .character("k"): .up
        case .character("j"): .down
        case .character("g"): .home
        case .character("G"): .end
        case .control("b"), .control("u"): .pageUp
        case .control("f"), .control("d"): .pageDown
        default: nil
        }
    }

    /// The key that changes the page of the details.
    fileprivate var pageTurn: Key? {
        switch self {
        case .tab, .character("l"), .right: .tab
        case Key(.tab, .shift), .character("h"), .left: Key(.tab, .shift)
        default: nil
        }
    }
}

extension Table.Sorting {
    fileprivate var reversed: Table.Sorting { Table.Sorting(column: column, isAscending: !isAscending) }
}
