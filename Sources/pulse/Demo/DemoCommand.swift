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
    /// - Throws: `UsageError` without a terminal: lines of fictional prices, without an end, are of no use to a script.
    func run() throws -> Int32 {
        guard let terminal = Terminal() else {
            throw UsageError(
                "pulse: say what to do: pulse watch URL, pulse get URL, pulse tail FILE, or pulse --help; the demo needs a terminal")
        }
        let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated, label: "pulse demo")
        let server = LoopbackServer()
        server.addRoutes(MarketData(interval: Self.marketInterval, scheduler: scheduler).routes)
        try server.start()
        defer { server.stop() }
        let feed = MarketFeed(service: server.baseURL, scheduler: scheduler)
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

    /// The interval at which one price moves: twenty times a second.
    private static let marketInterval = Duration.milliseconds(50)
}
