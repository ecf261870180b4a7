import LoopbackServer
import NetNodes

/// `pulse serve`: the demo's service until a signal ends it.
@MainActor
struct ServeCommand {
    let port: Int

    func run() throws -> Int32 {
        let market = MarketData(scheduler: SerialDispatchQueueScheduler(qos: .userInitiated, label: "pulse market"))
        let server = LoopbackServer(port: port, routes: market.routes)
        try server.start()
        defer { server.stop() }
        let console = Console()
        console.printLine("Market data on \(server.baseURL)  (Ctrl-C ends it)")
        for line in Self.routes { console.printLine(line) }
        return Program.runUntilStopped()
    }

    private static let routes = [
        "  /quotes            all quotes",
        "  /quotes/ACME       one quote",
        "  /quotes/stream     each quote as it moves, as server-sent events",
        "  /health            whether the service is well",
        "  /flaky             an answer that fails now and then",
        "  /delay/500         an answer after so many milliseconds",
        "  /status/503        an answer with that status",
    ]
}
