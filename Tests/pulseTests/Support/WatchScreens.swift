import Foundation
import NetNodes
import TerminalViews
import Testing

@testable import pulse

/// The screens of a watch as text, after a minute in which one endpoint has failed.
@MainActor
struct WatchScreens {
    private static let start = 1_700_000_000.0

    /// Three endpoints after a minute, and one that was not checked yet.
    func board() throws -> WatchBoard {
        let target = { (name: String, group: String?) in
            WatchTarget(try #require(URL(string: "http://h.example/\(name)")), name: name, group: group)
        }
        let (cart, bar, new) = (try target("cart", "shop"), try target("bar", nil), try target("new", nil))
        let plain = WatchTarget(try #require(URL(string: "http://h.example/caf%C3%A9/health")))
        var board = WatchBoard().applying(.targets([cart, plain, bar, new]))
        for second in 0..<12 {
            let time = Date(timeIntervalSince1970: Self.start + Double(second) * 5)
            let phases = Phases(firstByte: Double(10 + second), body: 0.3, isReused: true)
            board = board.applying(
                .check(
                    Check(
                        target: cart, time: time, latency: .microseconds(10_300 + second * 1000), outcome: .up(status: 200), phases: phases)
                ))
            board = board.applying(.check(Check(target: plain, time: time, latency: .milliseconds(150), outcome: .up(status: 204))))
            let outcome = second > 9 ? Check.Outcome.down(status: 503, reason: "status 503") : .up(status: 200)
            board = board.applying(
                .check(
                    Check(
                        target: bar, time: time, latency: .milliseconds(40), outcome: outcome, phases: phases,
                        body: second > 9 ? "out of coffee" : nil)))
        }
        return board
    }

    /// The screen after these keys, without the spaces at the ends of its lines. Times of day are those of the zone of the test.
    func screen(_ width: Int, _ height: Int, _ keys: [Key] = [], board: WatchBoard? = nil) throws -> [String] {
        let bag = DisposeBag()
        let size = Size(width: width, height: height)
        let heading = WatchHeading(options: WatchOptions(), theme: .dark)
        let content = heading.content(try board ?? self.board())
        let typed = PublishSubject<Key>()
        let view = DashboardView(
            heading: heading.text(WatchBoard()), columns: EndpointEntry.columns(hasGroups: false, hasErrors: true), theme: .dark)
        let state = DashboardModel.state(of: typed.asObservable(), sortableColumns: EndpointEntry.sortableColumns)
        let model = DashboardModel(
            content: .just(content), selection: view.table.selection, keys: typed.asObservable(), state: state,
            waiting: "Waiting for the first check.")
        view.bind(to: model, size: .just(size), isLoading: .just(false), bag: bag)
        _ = view.root.snapshot(in: size)
        for key in keys {
            typed.onNext(key)
            _ = view.root.snapshot(in: size)
        }
        let text = view.root.snapshot(in: size).text
        let since = Wording.time(Date(timeIntervalSince1970: Self.start + 50))
        let last = Wording.time(Date(timeIntervalSince1970: Self.start + 55))
        return text.replacing(since, with: "22:14:10").replacing(last, with: "22:14:15").split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
    }
}

extension WatchEvent {
    /// A check of an endpoint that has answered within a millisecond.
    static func success(of target: WatchTarget, at second: Double) -> WatchEvent {
        .check(Check(target: target, time: Date(timeIntervalSince1970: second), latency: .milliseconds(1), outcome: .up(status: 200)))
    }
}
