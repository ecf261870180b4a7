import Foundation
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@Suite("Keys make the state of the dashboard", .countsResources)
struct DashboardStateTests {
    private func state(after keys: Key...) -> DashboardState {
        keys.reduce(DashboardState(sortableColumns: [1, 3])) { $0.applying($1) }
    }

    private func typed(_ text: String) -> [Key] { text.map(Key.character) }

    @Test func `Only q and Ctrl-C quit`() {
        #expect(state(after: .character("q")).exitCode == 0)
        #expect(state(after: .control("c")).exitCode == 130)
        #expect(state(after: .character("/"), .control("c")).exitCode == 130)
        #expect(state(after: .character("/"), .control("\\")).exitCode == 131)
        #expect(state(after: .character("?"), .character("q")).exitCode == 0)
        #expect(state(after: .character("/"), .character("q")).exitCode == nil)
        #expect(state(after: .escape, .enter, .character("x")).exitCode == nil)
    }

    @Test func `A paste is inserted into the open filter, on one line and up to a limit, and ignored elsewhere`() {
        #expect(state(after: .paste("qsp?/")) == state())
        #expect(state(after: .character("?"), .paste("q")) == state(after: .character("?")))
        #expect(state(after: .character("/"), .paste("ab\ncq")).query.filter == "ab cq")
        #expect(state(after: .character("/"), .paste("ab"), .enter).query.filter == "ab")
        #expect(state(after: .character("/"), .paste(String(repeating: "x", count: 5000))).query.filter.count == 60)
        #expect(state(after: .character("/"), .paste("e" + String(repeating: "\u{301}", count: 5000))).query.filter.utf8.count <= 241)
    }

    @Test func `p pauses and resumes, r counts refreshes, enter and esc toggle the details`() {
        #expect(state(after: .character("p")).isPaused)
        #expect(!state(after: .character("p"), .character("p")).isPaused)
        #expect(state(after: .character("r"), .character("r")).refreshes == 2)
        #expect(state(after: .enter).isDetailOnly)
        #expect(!state(after: .enter, .escape).isDetailOnly)
    }

    @Test func `s cycles through the columns and S reverses the order`() {
        #expect(state().query.sorting == .init(column: 1))
        #expect(state(after: .character("s")).query.sorting == .init(column: 3))
        #expect(state(after: .character("s"), .character("S")).query.sorting == .init(column: 3, isAscending: false))
        #expect(state(after: .character("s"), .character("s")).query.sorting == .init(column: 1))
    }

    @Test func `s passes over columns that are not shown, and does nothing where no list is`() {
        let narrow = DashboardState(sortableColumns: [0, 1, 2, 4]).applying(.columns([0, 1, 3, 4]))
        let sorted = (1...4).map { count in (0..<count).reduce(narrow) { state, _ in state.applying(.character("s")) } }
        #expect(sorted.map(\.query.sorting.column) == [1, 4, 0, 1])
        let single = narrow.applying(.columns([0]))
        #expect(single.applying(.character("s")) == single)
        let details = narrow.applying(.enter)
        #expect(details.applying(.character("s")) == details && details.applying(.character("S")) == details)
    }

    @Test func `The filter is typed, corrected, kept and cleared`() {
        let typing = ([.character("/")] + typed("ab") + [.backspace, .character("é")]).reduce(state()) { $0.applying($1) }
        #expect(typing.query.filter == "aé")
        #expect(typing.isEditingFilter)
        #expect(typing.applying(.enter).query.filter == "aé")
        #expect(!typing.applying(.enter).isEditingFilter)
        #expect(typing.applying(.escape).query.filter == "")
        #expect(typing.applying(.enter).applying(.escape).query.filter == "")
        #expect(typing.applying(.control("u")).query.filter == "")
        #expect(typing.applying(.character(" ")).applying(.character("x")).applying(.control("w")).query.filter == "aé ")
        #expect(typing.applying(.left).applying(.backspace).query.filter == "é")
        #expect(typing.applying(.alt("x")).query.filter == "aé")
        let long = typed(String(repeating: "x", count: 500)).reduce(typing) { $0.applying($1) }
        #expect(long.query.filter.count == 60)
    }

    @Test func `Any key but one that scrolls closes the help`() {
        #expect(state(after: .character("?"), .down, .character("j"), .pageDown).isHelpShown)
        #expect(!state(after: .character("?"), .escape).isHelpShown)
        #expect(state(after: .character("?")).isHelpShown)
        #expect(!state(after: .character("?"), .character("p")).isHelpShown)
        #expect(!state(after: .character("?"), .character("p")).isPaused)
    }
}

@Suite("Keys go where they belong", .countsResources)
struct KeyRouteTests {
    private func state(after text: String) -> DashboardState {
        text.reduce(DashboardState(sortableColumns: [1, 3])) { $0.applying(.character($1)) }
    }

    @Test(
        arguments: [
            (Key.character("j"), Key.down), (.character("k"), .up), (.character("g"), .home), (.character("G"), .end),
            (.control("f"), .pageDown), (.control("b"), .pageUp), (.down, .down), (.end, .end),
        ])
    func `Vim's letters move like the arrows`(key: Key, meaning: Key) {
        #expect(state(after: "").viewKey(of: key) == meaning)
        #expect(state(after: "?").viewKey(of: key) == meaning)
    }

    @Test func `Pages of the details are turned with tab, h, l and the arrows, but not below the help`() {
        for key in [Key.tab, .character("l"), .right] { #expect(state(after: "").viewKey(of: key) == .tab) }
        for key in [Key(.tab, .shift), .character("h"), .left] { #expect(state(after: "").viewKey(of: key) == Key(.tab, .shift)) }
        #expect(state(after: "?").viewKey(of: .tab) == nil)
    }

    @Test func `While the filter is edited letters are text, and only arrows move`() {
        #expect(state(after: "/").viewKey(of: .character("j")) == nil)
        #expect(state(after: "/").viewKey(of: .left) == nil)
        #expect(state(after: "/").viewKey(of: .down) == .down)
        #expect(state(after: "/").viewKey(of: .paste("jj")) == nil)
    }

    @Test func `The part of the screen that has the keys is the help, the filter, the details alone, or the list`() {
        #expect(state(after: "").pane == .list)
        #expect(state(after: "").applying(.enter).pane == .details)
        #expect(state(after: "/").pane == .filter)
        #expect(state(after: "?").pane == .help)
    }

    @Test func `The mouse goes to what it points at, and never changes the state by itself`() {
        let click = Key.mouse(.press(.left), at: .zero)
        #expect(state(after: "").applying(click) == state(after: ""))
        #expect(state(after: "").viewKey(of: click) == click)
        #expect(!state(after: "?").applying(click).isHelpShown)
        #expect(state(after: "?").applying(.mouse(.wheelDown, at: .zero)).isHelpShown)
    }

    @Test func `A clicked title sorts by its column, and again reverses; one that is not sortable does nothing`() {
        #expect(state(after: "").applying(.title(3)).query.sorting == .init(column: 3))
        #expect(state(after: "").applying(.title(3)).applying(.title(3)).query.sorting == .init(column: 3, isAscending: false))
        #expect(state(after: "").applying(.title(2)) == state(after: ""))
    }
}

@Suite("Entries are found and sorted", .countsResources)
struct QueryTests {
    private func entry(_ name: String, _ number: Double) -> Entry {
        Entry(
            id: name, values: [.text(StyledText(name)), .text(StyledText("\(number)"))], sortKeys: [.text(name), .number(number)],
            detail: .named("")
        )
    }

    private func names(_ query: Query) -> [String] {
        query.apply(to: [entry("beta", 2), entry("alpha", .nan), entry("gamma", 1), entry("Delta", 2)]).map(\.id)
    }

    @Test func `By text, by number in both directions, NaN last, stable`() {
        #expect(names(Query(sorting: .init(column: 0))) == ["Delta", "alpha", "beta", "gamma"])
        #expect(names(Query(sorting: .init(column: 1))) == ["gamma", "beta", "Delta", "alpha"])
        #expect(names(Query(sorting: .init(column: 1, isAscending: false))) == ["beta", "Delta", "gamma", "alpha"])
        #expect(names(Query(sorting: .init(column: 7))) == ["beta", "alpha", "gamma", "Delta"])
    }

    @Test func `All words of the filter must occur in the row, case-insensitively`() {
        #expect(names(Query(filter: "TA", sorting: .init(column: 0))) == ["Delta", "beta"])
        #expect(names(Query(filter: "ta 2.0 be", sorting: .init(column: 0))) == ["beta"])
        #expect(names(Query(filter: "zz", sorting: .init(column: 0))) == [])
    }
}
