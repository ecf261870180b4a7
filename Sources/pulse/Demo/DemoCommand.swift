import Foundation
import LoopbackServer
import NetNodes
import TerminalViews

/// `pulse` without arguments: a market-data service in this process, and the dashboard on it.
///
/// Each number travels the whole way: from the service through a socket, libcurl, the node chain and the operators to the main loop and
/// into a view.
@MainActor
struct DemoCommand {
    func run() throws -> Int32 {
        let market = MarketData(interval: .milliseconds(50), scheduler: Self.scheduler)
        let server = LoopbackServer(routes: market.routes)
        try server.start()
        defer { server.stop() }
        let feed = MarketFeed(service: server.baseURL)
        guard let terminal = Terminal() else { return runLines(feed) }
        return dashboard(feed, at: server.baseURL).run(on: terminal)
    }

    private func boards(_ feed: MarketFeed, state: Observable<DashboardState>) -> Observable<MarketBoard> {
        let interval = Observable<Int>.interval(MarketFeed.interval, scheduler: Self.scheduler).map { _ in }.startWith(())
        let ticks = Observable.merge(state.pausing(interval), state.refreshes)
        return feed.answers(at: ticks).scan(MarketBoard()) { board, answer in
            switch answer {
            case .success(let quotes): board.adding(quotes)
            case .failure(let error): board.failing(ErrorWording.sentence(error))
            }
        }
    }

    private func dashboard(_ feed: MarketFeed, at service: URL) -> DashboardProgram {
        DashboardProgram(
            title: StyledText("pulse", .bold) + "  demo market on \(service.host() ?? ""):\(service.port ?? 0)",
            columns: MarketBoard.columns,
            sortableColumns: MarketBoard.sortableColumns,
            placeholder: "Waiting for the first quotes.",
            content: { state in boards(feed, state: state).map { Content(entries: $0.entries, notice: $0.problem) } },
            isLoading: feed.isLoading
        )
    }

    /// One line for each price that moved.
    private func runLines(_ feed: MarketFeed) -> Int32 {
        let console = Console()
        boards(feed, state: .just(DashboardState(sortableColumns: [])).concat(.never()))
            .scan((old: [Quote](), new: [Quote]())) { last, board in (last.new, board.quotes) }
            .map { last in last.new.filter { !last.old.contains($0) }.map(Self.line) }
            .bind(onNext: { lines in lines.forEach(console.printLine) })
            .disposed(by: MainLoop.disposeBag)
        return Program.runUntilStopped()
    }

    private nonisolated static func line(_ quote: Quote) -> String {
        let change = (quote.changePercent >= 0 ? "+" : "") + Wording.number(quote.changePercent, places: 2) + " %"
        return "\(quote.symbol)  \(Wording.number(quote.price, places: 2))  \(change)"
    }

    private static let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated, label: "pulse demo")
}
