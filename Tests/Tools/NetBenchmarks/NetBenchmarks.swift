import Foundation
import NetNodes

/// Measures what a request costs through a whole chain, beside bare `URLSession` and a bare libcurl loop that decodes the same.
/// `Docs/Performance.md` says how to read what it prints.
@main
struct NetBenchmarks {
    static func main() {
        do {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            guard !arguments.wantsHelp else { return print(Arguments.usage) }
            guard !arguments.serves else { return try LocalServer.serve() }
            let areBoundsReached = try measure(arguments)
            if arguments.checks, !areBoundsReached { fail("a bound is not reached", code: 1) }
        } catch let failure as Arguments.Failure {
            fail(failure.message, code: 2)
        } catch {
            fail(error.localizedDescription, code: 2)
        }
    }

    /// Measures, and says whether every bound is reached. The server has ended when this returns.
    private static func measure(_ arguments: Arguments) throws -> Bool {
        let server = arguments.server == nil ? try ServerProcess() : nil
        defer { server?.stop() }
        guard let url = arguments.server ?? server?.url else { return false }
        let clients: [any Client] = [
            ChainClient(url: url), AwaitClient(url: url), AwaitClient(url: url, loops: 1), AwaitClient(url: url, loops: 2),
            FileClient(besides: url), SessionClient(url: url), CurlClient(url: url),
        ]
        let wanted = clients.filter { arguments.only == nil || $0.name.contains(arguments.only ?? "") }
        guard !wanted.isEmpty else { throw Arguments.Failure(message: "no client's name contains '\(arguments.only ?? "")'") }
        if let count = arguments.count {
            for client in wanted { try client.run(count, atOnce: 1) }
            return true
        }
        let name = server?.name ?? "a server that ran already"
        print("GET \(url) (\(name)), \(Quote.text.utf8.count) bytes of JSON, decoded; \(arguments.rounds) rounds\n")
        let figures = try Harness(rounds: arguments.rounds, duration: arguments.duration).measure(wanted, atOnce: arguments.atOnce)
        print(Report.table(figures))
        guard arguments.only == nil else { return true }
        let beside = try server.map { try SmallBesideLarge.measure(rounds: arguments.rounds, small: $0.url, large: $0.large) }
        if let beside { print(Report.table(beside)) }
        let calls = try SystemCalls.count(wanted.filter { ["chain", "await"].contains($0.name) }, at: url)
        if !calls.isEmpty { print(Report.table(calls)) }
        let bounds = Bounds(figures, beside, calls)
        print(bounds.text)
        return bounds.areReached
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data("NetBenchmarks: \(message)\n".utf8))
        exit(code)
    }
}

/// The response that is asked for.
struct Quote: Decodable, Sendable, Equatable {
    let symbol: String
    let name: String
    let price: Double
    let change: Double
    let volume: Int
    let isOpen: Bool

    static let text = """
        {"symbol":"ACME","name":"Acme Corporation","price":123.25,"change":-0.5,"volume":1250000,"isOpen":true}
        """
    static let expected = Quote(symbol: "ACME", name: "Acme Corporation", price: 123.25, change: -0.5, volume: 1_250_000, isOpen: true)
}
