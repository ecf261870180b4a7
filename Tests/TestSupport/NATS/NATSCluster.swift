import Foundation
import NATSNodes

/// Servers that replicate, on the loopback address.
public final class NATSCluster: Sendable {
    /// The servers: `s1`, `s2`, ...
    public let servers: [NATSServer]

    public init(size: Int, hasJetStream: Bool = true) throws {
        let routePorts = try (0..<size).map { _ in try ReservedPorts.next() }
        let routes = routePorts.map { "nats://127.0.0.1:\($0)" }.joined(separator: ", ")
        var servers: [NATSServer] = []
        for number in 0..<size {
            let configuration = """
                server_name: s\(number + 1)
                lame_duck_grace_period: "1s"
                http: "127.0.0.1:-1"
                cluster { name: tests, host: 127.0.0.1, port: \(routePorts[number]), routes: [\(routes)] }
                """
            servers.append(try NATSServer(.init(hasJetStream: hasJetStream, configuration: configuration)))
        }
        self.servers = servers
    }

    /// The addresses of all servers.
    public var url: String { servers.map(\.url).joined(separator: ",") }

    public func kill() {
        for server in servers { server.kill() }
    }
}
