import Foundation
import LoopbackServer
import NetNodes
import TerminalViews

/// `pulse` without arguments: a market-data service in this process, and a dashboard of it.
///
/// Each value takes the complete path: from the service through a socket, libcurl, the node chain and the operators to the main loop and
/// into a view.
@MainActor
struct DemoCommand {
    func run() throws -> Int32 {
        let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated, label: "pulse demo")
        let server = LoopbackServer()
        server.addRoutes(MarketData(interval: Self.marketInterval, scheduler: scheduler).routes)
        try server.start()
        defer { server.stop() }
        let feed = MarketFeed(service: server.baseURL, scheduler: scheduler)
        guard let terminal = Terminal() else { return runLines(feed) }
        return dashboard(feed, at: server.baseURL).run(on: terminal)
    }

    private func dashboard(_ feed: MarketFeed, at service: URL) -> DashboardProgram {
        let heading = StyledText("pulse", .bold) + StyledText("  demo market on \(service.host() ?? ""):\(service.port ?? 0)")
        return DashboardProgram(
            heading: heading,
            columns: MarketBoard.columns,
            sortableColumns: MarketBoard.sortableColumns,
            waiting: "Waiting for the first quotes.",
            content: { inputs in
                feed.events(inputs.state)
                    .scan(MarketBoard()) { $0.applying($1) }
                    .map { Content(entries: $0.entries, heading: heading, notice: $0.problem) }
            },
            isLoading: feed.isLoading
        )
    }

    /// Prints one line for each price that moved.
    private func runLines(_ feed: MarketFeed) -> Int32 {
        Program.stopOnSignals()
        let console = Console()
        feed.events(.unattended)
            .map(Self.lines)
            .bind(onNext: { lines in for line in lines { console.printLine(line) } })
            .disposed(by: MainLoop.disposeBag)
        return MainLoop.run()
    }

    private nonisolated static func lines(_ event: MarketEvent) -> [String] {
        switch event {
        case .quotes(let quotes): quotes.map { "\($0.symbol)  \(Wording.number($0.price, places: 2))  \(Wording.change($0.changePercent))" }
        case .problem(let sentence): ["problem: \(sentence)"]
        case .sample: []
        }
    }

    /// The interval at which one price moves: twenty times a second.
    private static let marketInterval = Duration.milliseconds(50)
}
