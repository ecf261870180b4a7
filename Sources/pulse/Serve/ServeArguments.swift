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
