import Foundation
import StreamsTesting
import Testing

@testable import pulse

@Suite("Failures to write or open are a line and an exit code", .serialized, .countsResources)
struct OutputTests {
    private static let endpoint = "http://127.0.0.1:1"
    private static let subject = "nats://127.0.0.1:1/status"
    private static let commands = [
        ["watch", endpoint, "--once"], [], ["get", endpoint], ["watch", endpoint, "--publish", subject], ["view", subject],
    ]

    /// Runs it under a shell that first does something to what it inherits.
    private func run(_ preparation: String, _ arguments: [String]) async throws -> ShellRun.Result {
        try await ShellRun.run(["/bin/sh"], ["-c", "\(preparation); exec \"$0\" \"$@\"", PulseBinary.path] + arguments)
    }

    #if canImport(Glibc)
        @Test(arguments: [["--help"], ["watch", endpoint, "-i", "0.05"], ["watch", endpoint, "--once"], ["serve", "--port", "0"]])
        func `A full disk is reported as a failure`(arguments: [String]) async throws {
            let result = try await run("exec >/dev/full", arguments)
            #expect(result.end == .exit(ExitCode.outputFailure))
            #expect(result.errors == "pulse: standard output could not be written: No space left on device\n")
        }
    #endif

    @Test func `So is a closed standard output: output is not written to a descriptor that reuses its number`() async throws {
        let result = try await run("exec >&-", ["watch", Self.endpoint, "--once"])
        #expect(result.end == .exit(ExitCode.outputFailure))
        #expect(result.errors == "pulse: standard output could not be written: Bad file descriptor\n")
    }

    #if !THREAD_SANITIZER
        // The sanitizer's runtime takes the signal of the limit before the program can ignore it.
        @Test func `So is a file size limit`() async throws {
            let path = FileManager.default.temporaryDirectory.appending(path: "pulse-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            let result = try await run("exec >\(path); ulimit -f 0", ["--help"])
            #expect(result.end == .exit(ExitCode.outputFailure))
            #expect(result.errors == "pulse: standard output could not be written: File too large\n")
        }
    #endif

    @Test(arguments: ["exec 2>&-", "exec 2>/dev/full"])
    func `A closed standard error does not change the exit code`(preparation: String) async throws {
        #expect(try await run(preparation, ["get", "http://"]).end == .exit(ExitCode.usage))
    }

    #if os(Linux)
        private static let canHide = {
            let probe = Process()
            probe.executableURL = URL(filePath: "/bin/sh")
            probe.arguments = ["-c", "unshare -rm mount -t tmpfs none /proc 2>/dev/null"]
            try? probe.run()
            probe.waitUntilExit()
            return probe.terminationStatus == 0
        }()

        @Test(.enabled(if: canHide, "no mount namespace can be made")) func `Without /proc it says so`() async throws {
            let script = "mount -t tmpfs none /proc; exec \"$0\" --version"
            let result = try await ShellRun.run(["/usr/bin/env", "unshare", "-rm", "/bin/sh", "-c", script], [PulseBinary.path])
            #expect(result.end == .exit(ExitCode.failure))
            #expect(result.errors.hasPrefix("pulse: /proc is missing") && result.errors.count { $0 == "\n" } == 1)
        }
    #endif

    @Test func `Standard input may be closed`() async throws {
        let result = try await run("exec <&-", ["watch", Self.endpoint, "--once"])
        #expect(result.end == .exit(ExitCode.failure))
        #expect(result.errors == "")
    }

    @Test(arguments: [4, 10, 20], commands) func `Too few file descriptors are reported`(limit: Int, arguments: [String]) async throws {
        let result = try await run("ulimit -n \(limit)", arguments)
        #expect(result.end == .exit(ExitCode.noResources))
        #expect(result.errors.hasPrefix("pulse: too few file descriptors: "))
        #expect(result.errors.hasSuffix(" available (see ulimit -n)\n"))
    }
}
