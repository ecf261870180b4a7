import Foundation
import NetNodes
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@MainActor
@Suite("The details of a watch are those of one endpoint", .countsResources)
struct WatchDetailTests {
    private static func target(_ name: String) throws -> WatchTarget {
        WatchTarget(try #require(URL(string: "http://h.example/\(name)")), name: name)
    }

    private static func check(_ name: String, _ second: Int, isUp: Bool) throws -> WatchEvent {
        .check(
            Check(
                target: try target(name), time: Date(timeIntervalSince1970: Double(second)), latency: .milliseconds(1),
                outcome: isUp ? .up(status: 200) : .down(status: 503, reason: "status 503")))
    }

    /// The title of the details after each of the boards, with these keys before the first of them.
    private func titles(_ keys: [Key], _ boards: [WatchBoard], start: WatchBoard) throws -> [String] {
        let bag = DisposeBag()
        let size = Size(width: 80, height: 24)
        let heading = WatchHeading(options: WatchOptions(), theme: .dark)
        let content = BehaviorRelay(value: heading.content(start))
        let typed = PublishSubject<Key>()
        let view = DashboardView(heading: "", columns: EndpointEntry.columns, theme: .dark)
        let state = DashboardModel.state(
            of: typed.asObservable(), shownColumns: view.table.shownColumns, sortableColumns: EndpointEntry.sortableColumns)
        let model = DashboardModel(
            content: content.asObservable(), selection: view.table.selection, keys: typed.asObservable(), state: state, waiting: "")
        view.bind(to: model, size: .just(size), isLoading: .just(false), bag: bag)
        for key in keys { typed.onNext(key) }
        return boards.map { board in
            content.accept(heading.content(board))
            let lines = view.root.snapshot(in: size).text.split(separator: "\n")
            return lines.first { $0.hasPrefix("┌ ") }?.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        }
    }

    @Test func `Without a selection they are those of the first endpoint when each was checked once, and hold still from then on`() throws {
        let start = WatchBoard().applying(.targets([try Self.target("a"), try Self.target("b")]))
        let half = start.applying(try Self.check("b", 1, isUp: true))
        let failing = half.applying(try Self.check("a", 1, isUp: true)).applying(try Self.check("b", 2, isUp: false))
        let swapped = failing.applying(try Self.check("a", 2, isUp: false)).applying(try Self.check("b", 3, isUp: true))
        #expect(try titles([], [half, failing, swapped, failing], start: start) == ["a", "b", "b", "b"])
        // A row that is gone makes room for the first one.
        #expect(try titles([], [failing, swapped.applying(.targets([try Self.target("a")]))], start: start) == ["b", "a"])
    }

    @Test func `An endpoint that never answered says so at its axis, and one that has answered has its latency there`() throws {
        let screens = WatchScreens()
        let refused = Check(
            target: try Self.target("a"), time: Date(timeIntervalSince1970: 1), latency: .milliseconds(1),
            outcome: .down(status: nil, reason: "connection refused"))
        let silent = WatchBoard().applying(.targets([try Self.target("a")])).applying(.check(refused))
        #expect(try screens.screen(80, 24, board: silent).contains { $0.contains("no answer ┤") })
        #expect(
            try screens.screen(80, 24, board: silent.applying(try Self.check("a", 2, isUp: true))).contains { $0.contains("1.00 ms ┤") })
    }

    @Test(arguments: [
        ("status 404", 404), ("took 700 ms, limit 500 ms", 200), ("the body lacks \"ok\"", 200),
    ]) func `An endpoint whose every answer is a failure does not say that there was none`(reason: String, status: Int) throws {
        let screens = WatchScreens()
        let failed = Check(
            target: try Self.target("a"), time: Date(timeIntervalSince1970: 1), latency: .milliseconds(1),
            outcome: .down(status: status, reason: reason))
        let board = WatchBoard().applying(.check(failed))
        let lines = try screens.screen(80, 24, board: board)
        #expect(lines.contains { $0.contains("all failed ┤") })
        #expect(!lines.contains { $0.contains("no answer") })
        let silent = Check(
            target: try Self.target("a"), time: Date(timeIntervalSince1970: 2), latency: .milliseconds(1),
            outcome: .down(status: nil, reason: "timed out"))
        #expect(try screens.screen(80, 24, board: board.applying(.check(silent))).contains { $0.contains("all failed ┤") })
    }

    @Test func `The rows that the list does not need are the chart's`() throws {
        let screens = WatchScreens()
        let board = WatchBoard().applying(.targets([try Self.target("a")])).applying(try Self.check("a", 1, isUp: true))
        for height in [24, 40, 60] {
            let lines = try screens.screen(80, height, board: board)
            #expect(lines[3].hasPrefix("┌ a"))
            let (top, bottom) = (lines.firstIndex { $0.contains("1.00 ms ┤") }, lines.lastIndex { $0.contains(" 0 ms ┤") })
            #expect(try #require(bottom) - #require(top) >= height - 18)
        }
    }

    @Test(arguments: [[Key.enter], [.enter, .enter], [.character("S"), .enter]])
    func `Enter pins the endpoint whose details are shown: sorting moves its row, and not the details`(keys: [Key]) throws {
        let start = WatchBoard().applying(.targets([try Self.target("a"), try Self.target("b")]))
        let failing = start.applying(try Self.check("a", 1, isUp: true)).applying(try Self.check("b", 1, isUp: false))
        let swapped = failing.applying(try Self.check("a", 2, isUp: false)).applying(try Self.check("b", 2, isUp: true))
        #expect(try titles(keys, [failing, swapped], start: start) == ["a", "a"])
    }

    @Test func `Enter before there are endpoints pins the first that comes`() throws {
        let one = WatchBoard().applying(try Self.check("a", 1, isUp: true))
        let two = one.applying(try Self.check("b", 1, isUp: false))
        #expect(try titles([.enter], [one, two], start: WatchBoard()) == ["a", "a"])
    }

    @Test func `200x60: columns of percentiles give way to the reasons of failures, which are not cut`() throws {
        let reason = "state is \"degraded\", expected \"fine\""
        let target = try Self.target(String(repeating: "n", count: 40))
        let failed = Check(
            target: target, time: Date(timeIntervalSince1970: 1), latency: .milliseconds(1), outcome: .down(status: 200, reason: reason))
        let lines = try WatchScreens().screen(200, 60, board: WatchBoard().applying(.check(failed)))
        #expect(lines[2].contains("  \(reason)") && lines[1].contains("Last minute") && !lines[1].contains("p95"))
    }

    @Test func `The page of the failures counts all of them, also those that it does not list`() throws {
        let board = try (0..<38).reduce(WatchBoard()) { $0.applying(try Self.check("a", $1, isUp: false)) }
        let page = try #require(board.entries.first?.detail.pages.first)
        #expect(page.title.string == "Failures 38")
        #expect(page.text.string.split(separator: "\n").count == 21)
        #expect(page.text.string.hasSuffix("\nand 18 before"))
        let few = try (0..<3).reduce(WatchBoard()) { $0.applying(try Self.check("a", $1, isUp: false)) }
        #expect(few.entries.first?.detail.pages.first?.text.string.split(separator: "\n").count == 3)
    }
}
