import LoopbackServer
import NetNodes

/// `pulse serve`: runs the service of the demo until a signal ends it.
@MainActor
struct ServeCommand {
    let port: Int

    func run() throws -> Int32 {
        let market = MarketData(scheduler: SerialDispatchQueueScheduler(qos: .userInitiated, label: "pulse market"))
        let server = LoopbackServer(port: port)
        server.addRoutes(market.routes)
        try server.start()
        defer { server.stop() }
        Program.stopOnSignals()
        let console = Console()
        console.printLine("Market data on \(server.baseURL)  (Ctrl-C to stop)")
        for line in Self.routes { console.printLine(line) }
        return MainLoop.run()
    }

    private static let routes = [
        "  /quotes            all quotes",
        "  /quotes/ACME       one quote",
        "  /quotes/stream     each quote as it moves, as server-sent events",
        "  /health            the health of the service",
        "  /flaky             a response that fails now and then",
        "  /delay/500         a response after that many milliseconds",
        "  /status/503        a response with that status",
    ]
}
