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

extension Subcommand {
    static let serve = Subcommand(
        name: "serve",
        summary: "run only the demo's service",
        usages: ["serve [flags]"],
        description: "Runs the demo's market-data service on 127.0.0.1 until it is interrupted.",
        sections: [
            FlagSection(
                title: "Flags",
                flags: [Flag("--port", short: "-p", value: "NUMBER", help: "the port on 127.0.0.1; 0 chooses a free one (8080)")])
        ],
        exitCodes: "130 after Ctrl-C, 143 after SIGTERM; 1 if the port is in use."
    ) { reader in
        _ = try reader.onlyOperand(most: 0)
        guard let text = reader.value("--port") else { return .serve(port: 8080) }
        guard text.isDecimal, let port = Int(text), (0...65_535).contains(port) else {
            throw UsageError("pulse serve: \(text.quotedForMessage) is not a port from 0 to 65535")
        }
        return .serve(port: port)
    }
}
