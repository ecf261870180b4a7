import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import pulse

@Suite("A failure of a connection, a handshake or a proxy has the exit code of curl", .serialized, .countsResources)
struct CurlCodeTests {
    /// What a server or a proxy does with a connection.
    enum Peer: String, CaseIterable {
        case speaksNoTLS, closesInHandshake, resetsInHandshake, closesAtOnce, refusesTunnel, closesTunnel, garblesTunnel

        var isProxy: Bool { rawValue.hasSuffix("Tunnel") }

        var code: Int32 { isProxy ? 56 : 35 }

        func serve(_ connection: Connection) {
            switch self {
            case .speaksNoTLS:
                _ = connection.readAvailable()
                connection.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            case .closesInHandshake, .closesTunnel: _ = connection.readAvailable()
            case .resetsInHandshake:
                _ = connection.readAvailable()
                connection.reset()
            case .closesAtOnce: break
            case .refusesTunnel:
                _ = connection.readHead()
                connection.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            case .garblesTunnel:
                _ = connection.readHead()
                connection.send("HTTP/1.1 200\r\n")
            }
        }
    }

    private static let curl = "/usr/bin/curl"

    /// The exit codes of `pulse`, of a download by it, and of curl where there is one.
    private func codes(_ arguments: [String]) async throws -> [Child.End] {
        let environment = ["no_proxy": ""]
        let folder = try TestFolder()
        var ends = [try await ShellRun.pulse(["get"] + arguments, environment: environment).end]
        ends.append(try await ShellRun.pulse(["download", "-o", "\(folder.path)/f"] + arguments, environment: environment).end)
        guard FileManager.default.isExecutableFile(atPath: Self.curl) else { return ends }
        return ends + [try await ShellRun.run([Self.curl], ["-s", "-o", "/dev/null"] + arguments, environment: environment).end]
    }

    @Test(arguments: Peer.allCases) func `A handshake or a tunnel that fails`(peer: Peer) async throws {
        let server = try ScriptedServer { peer.serve($0) }
        let address = "127.0.0.1:\(server.port)"
        let arguments = peer.isProxy ? ["-x", "http://\(address)", "https://127.0.0.1:1/"] : ["https://\(address)/"]
        #expect(Set(try await codes(arguments).map { "\($0)" }) == ["\(Child.End.exit(peer.code))"])
    }

    @Test(.enabled(if: SecurePythonServer.isAvailable))
    func `A certificate that is not trusted, and one of the client that cannot be read`() async throws {
        let server = try await SecurePythonServer()
        #expect(Set(try await codes(["\(server.url)/"]).map { "\($0)" }) == ["\(Child.End.exit(60))"])
        let unreadable = ["--cacert", server.certificate, "--cert", "/missing", "\(server.url)/"]
        #expect(Set(try await codes(unreadable).map { "\($0)" }) == ["\(Child.End.exit(58))"])
        await server.stop()
    }

    @Test func `A proxy that does not exist`() async throws {
        #expect(try await codes(["-x", "http://127.0.0.1:1", "https://127.0.0.1:1/"]).allSatisfy { $0 == .exit(7) })
        // On a machine without a network there is no route.
        let unknown = try await codes(["-x", "http://host.invalid:1", "http://127.0.0.1:1/"])
        #expect(unknown.allSatisfy { [.exit(5), .exit(7)].contains($0) })
    }

    @Test func `After a retry the code is that of the last attempt`() async throws {
        let attempts = Counter()
        let server = try ScriptedServer { connection in
            let peer: Peer = attempts.increment() == 1 ? .closesInHandshake : .speaksNoTLS
            peer.serve(connection)
        }
        let result = try await ShellRun.pulse(["get", "--retry", "1", "https://127.0.0.1:\(server.port)/"])
        #expect(result.end == .exit(35))
        #expect(result.errors.contains("attempt 2 of 2"))
    }
}
