import Foundation
import StreamsTesting
import SystemSources
import TestSupport
import Testing

/// The programs of the example, each in a process of its own, as somebody starts them.
@Suite("QuoteBus", .enabled(if: NATSServer.isInstalled, "nats-server is not installed"), .blocksThread)
struct QuoteBusTests {
    private func run(_ role: String, _ url: String) -> Recorder<Command.Event> {
        let program = Bundle.main.bundleURL.appending(path: "QuoteBus").path
        let environment = ProcessInfo.processInfo.environment.merging(["NATS_URL": url]) { $1 }
        return Recorder(Command(program, arguments: [role], environment: environment).run())
    }

    private func isPrice(_ event: Command.Event) -> Bool {
        if case .output(let line) = event { line.hasPrefix("ACME 1") } else { false }
    }

    private func says(_ text: String) -> @Sendable (Command.Event) -> Bool {
        { event in
            if case .errorOutput(let line) = event { line.contains(text) } else { false }
        }
    }

    @Test func `A viewer says what it waits for: a server, a publisher; and goes on after a restart of the server`() throws {
        let port = try ReservedPorts.next()
        let view = run("show", "nats://127.0.0.1:\(port)")
        try view.first(where: says("Could not connect to 127.0.0.1:\(port)"))
        let server = try NATSServer(.init(hasJetStream: true, port: port))
        try view.first(where: says("stream not found"))
        let publisher = run("publish", server.url)
        try view.first { isPrice($0) }
        server.kill()
        try publisher.first(where: says("The connection to 127.0.0.1:\(port) was lost"))
        try view.first(where: says("The connection to 127.0.0.1:\(port) was lost"))
        try server.start()
        try view.first(where: says("Elements of quotes may have been missed."))
        try view.eventsBehind(says("may have been missed")).filter { isPrice($0) }.take(1).ended().get()
        withExtendedLifetime(publisher) {}
    }

    @Test(arguments: ["show", "publish"])
    func `An error that waiting does not mend is the last that it says, and its exit code is 1`(role: String) throws {
        let events = try run(role, "ftp://host").all()
        let reason = "\"ftp://host\" is not the address of a NATS server: its scheme is neither nats nor tls."
        #expect(events == [.errorOutput(reason), .exited(.code(1))])
    }
}
