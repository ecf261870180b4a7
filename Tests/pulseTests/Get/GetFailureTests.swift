import Foundation
import LoopbackServer
import NetNodes
import StreamsTesting
import Testing

@testable import pulse

@Suite("Each kind of fault has an exit code and a line of its own", .serialized, .countsResources, .stopsServers)
struct GetFailureTests {
    @Test(
        arguments: [
            (LoopbackServer.Fault.statusLine("nonsense"), ExitCode.malformedResponse), (.reset(at: .beforeHead), ExitCode.connectionLost),
            (.close(at: .beforeHead), ExitCode.emptyResponse), (.truncate(after: 2), ExitCode.incompleteBody),
            (.hang(at: .beforeHead), ExitCode.timeout),
            (.hang(at: .inBody(after: 2)), ExitCode.timeout),
        ])
    func `A response that is malformed, truncated or missing`(fault: LoopbackServer.Fault, code: Int32) async throws {
        let server = try running(.get("/x") { _ in LoopbackServer.Response.text("four").with(fault) })
        let result = try await ShellRun.pulse(["get", "\(server.baseURL)/x"] + (code == ExitCode.timeout ? ["-t", "0.3"] : []))
        #expect(result.end == .exit(code))
        #expect(result.errors.hasPrefix("pulse: "))
        #expect(result.errors.count { $0 == "\n" } == 1)
    }

    @Test(arguments: ["gzip", "rot13"]) func `A body that cannot be decoded is curl's 61`(encoding: String) async throws {
        let server = try running(.get("/x") { _ in LoopbackServer.Response.text("four").header("Content-Encoding", encoding) })
        let result = try await ShellRun.pulse(["get", "\(server.baseURL)/x"])
        #expect(result.end == .exit(61))
        #expect(result.errors.contains("cannot be decoded: it is damaged;") == (encoding == "gzip"))
    }

    @Test func `Each fault has the number of curl`() throws {
        #expect((ExitCode.incompleteBody, ExitCode.outputFailure, ExitCode.emptyResponse, ExitCode.undecodableBody) == (18, 23, 52, 61))
        #expect(ExitCode.of(TransportError.other(code: 43, reason: "a bad argument", url: "http://h")) == 43)
        #expect(ExitCode.of(TransportError.other(code: -1, reason: "it was shut down", url: "http://h")) == ExitCode.failure)
        let lost = TechnicalError.connectionLost("lost")
        #expect(ExitCode.of(lost) == 56)
        let truncated = TransportError.incompleteBody(url: "http://h", received: 1, reason: "it is truncated")
        #expect(ExitCode.of(lost, fault: TransferFault(error: truncated)) == 18)
        let closed = TransportError.connectionLost(url: "http://h", reason: "it was closed during the TLS handshake")
        #expect(ExitCode.of(lost, fault: TransferFault(error: closed, code: 35)) == 35)
        let insecure = TransportError.secureConnectionFailed(url: "http://h", reason: "the server does not support TLS")
        #expect(ExitCode.of(TechnicalError.secureConnectionFailed("no"), fault: TransferFault(error: insecure, code: 35)) == 35)
        #expect(ExitCode.of(TechnicalError.secureConnectionFailed("no"), fault: TransferFault(error: insecure)) == 60)
        let refused = TransportError.proxyFailed(url: "http://h", reason: "it responded with 403")
        #expect(ExitCode.of(refused, fault: TransferFault(error: refused, code: 56)) == 56)
        #expect(ExitCode.of(refused) == 5)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")))
    func `Of what it does not send, too: curl ends with the same code`() async throws {
        let curl = try await ShellRun.run(["/usr/bin/curl"], ["-s", "--resolve", "h:80:zz", "http://h"])
        #expect(try await ShellRun.pulse(["get", "--resolve", "h:80:zz", "http://h"]).end == curl.end)
    }

    @Test func `An unknown host, a file that cannot be read, a body that takes too long`() async throws {
        let unknown = try await ShellRun.pulse(["get", "http://host.invalid/"], environment: ["no_proxy": "*"])
        // The latter on a machine without a network.
        #expect([.exit(ExitCode.unknownHost), .exit(ExitCode.noConnection)].contains(unknown.end))
        let server = try running(
            .get("/slowly") { _ in LoopbackServer.Response.text("0123456789").with(.throttle(bytes: 1, every: .seconds(1))) })
        let slow = try await ShellRun.pulse(["get", "\(server.baseURL)/slowly", "--max-time", "0.3"])
        #expect(slow.end == .exit(ExitCode.timeout))
        #expect(slow.errors.contains("did not respond completely within 300 ms"))
    }

    @Test func `--retry repeats what is transient and prints only the last response`() async throws {
        let busy = LoopbackServer.Response.text("busy", status: 503).header("Retry-After", "0")
        let server = try running(
            .script("GET", "/twice", LoopbackServer.Script([busy, busy, .text("ok")])), .get("/always") { _ in busy },
            .get("/never") { _ in .text("no", status: 404) },
            .any("/post") { _ in busy })
        let twice = try await ShellRun.pulse(["get", "-i", "\(server.baseURL)/twice", "--retry", "3"])
        #expect(twice.end == .exit(0))
        #expect(twice.output.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(twice.output.hasSuffix("\r\n\r\nok"))
        let notes = twice.errors.split(separator: "\n")
        #expect(notes.count == 2)
        #expect(notes.first?.hasSuffix("responded with 503 (service unavailable); attempt 2 of 4") == true)
        let always = try await ShellRun.pulse(["get", "\(server.baseURL)/always", "--retry", "1"])
        #expect(always.end == .exit(ExitCode.serverError))
        #expect(always.output == "busy")
        #expect(always.errors.split(separator: "\n").count == 2)
        #expect(try await ShellRun.pulse(["get", "\(server.baseURL)/never", "--retry", "3"]).errors.split(separator: "\n").count == 1)
        #expect(try await ShellRun.pulse(["get", "\(server.baseURL)/post", "-d", "a", "--retry", "3"]).output == "busy")
        #expect(server.recordedRequests.count { $0.target == "/post" } == 1)
    }

    @Test func `A retried download continues where it was cut`() async throws {
        let folder = try TestFolder()
        let body = LoopbackServer.Response.generatedBytes(0..<300_000)
        let server = try running(
            .get("/f") { _ in LoopbackServer.Response.generated(bytes: 300_000).header("ETag", "\"1\"") }.resumable()
                .with(.close(at: .inBody(after: 100_000)), onCalls: [1]))
        let result = try await ShellRun.pulse(["get", "\(server.baseURL)/f", "-o", "\(folder.path)/f", "--retry", "1"])
        #expect(result.end == .exit(0))
        #expect(try Data(contentsOf: folder.url.appending(path: "f")) == body)
        #expect(server.recordedRequests.map { $0.headers["Range"] } == [nil, "bytes=100000-"])
        #expect(folder.names == ["f"])
    }

    @Test func `The name of get's file is that of the URL, and an existing one is left as it is`() async throws {
        let folder = try TestFolder()
        let server = try running(.get("/:name") { _ in .text("x") })
        let words = ["-c", "cd '\(folder.path)'; exec \"$0\" get -O \"$1\"", PulseBinary.path, "\(server.baseURL)/a%20b"]
        #expect(try await ShellRun.run(["/bin/sh"], words).end == .exit(0))
        #expect(folder.names == ["a b"])
        #expect(try await ShellRun.run(["/bin/sh"], words).end == .exit(ExitCode.outputFailure))
    }

    @Test(.enabled(if: SecurePythonServer.isAvailable))
    func `A certificate must be trusted: by --cacert, by SSL_CERT_FILE, or any with -k`() async throws {
        let server = try await SecurePythonServer()
        let url = "\(server.url)/"
        let refused = try await ShellRun.pulse(["get", url], environment: ["SSL_CERT_FILE": ""])
        #expect(refused.end == .exit(ExitCode.untrustedCertificate))
        #expect(refused.errors.hasPrefix("pulse: No secure connection to \(url): "))
        #expect(try await ShellRun.pulse(["get", "-k", url]).output == "secure")
        #expect(try await ShellRun.pulse(["get", "--cacert", server.certificate, url]).output == "secure")
        #expect(try await ShellRun.pulse(["get", url], environment: ["SSL_CERT_FILE": server.certificate]).output == "secure")
        #expect(try await ShellRun.pulse(["get", "--cacert", "/missing", url]).end == .exit(ExitCode.noAuthorities))
        let timing = try await ShellRun.pulse(["get", "-k", "--timing", url]).errors
        #expect(timing.contains("\nTLS "))
        await server.stop()
    }

    @Test(.enabled(if: SecurePythonServer.isAvailable)) func `A client shows its certificate where the server demands one`() async throws {
        let server = try await SecurePythonServer(demandsCertificate: true)
        let words = ["get", "\(server.url)/", "--cacert", server.certificate]
        #expect(try await ShellRun.pulse(words).end != .exit(0))
        #expect(try await ShellRun.pulse(words + ["--cert", server.certificate, "--key", server.key]).output == "secure")
        let broken = try await ShellRun.pulse(words + ["--cert", "/missing"])
        #expect(broken.end == .exit(58))
        let encrypted = server.key + ".encrypted"
        let encrypting = ["pkcs8", "-topk8", "-in", server.key, "-out", encrypted, "-passout", "pass:hunter2"]
        _ = try await ShellRun.run(["/usr/bin/env", "openssl"], encrypting)
        let locked = try await ShellRun.pulse(words + ["--cert", server.certificate, "--key", encrypted])
        #expect(locked.end == .exit(58))
        // Nobody is asked for the password.
        #expect(locked.errors.hasPrefix("pulse: No secure connection to "))
        await server.stop()
    }
}
