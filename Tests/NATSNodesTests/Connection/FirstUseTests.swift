import Foundation
import LoopbackServer
import StreamsTesting
import TestSupport
import Testing

/// Each in a process of its own, `Probe`, in which nothing but Dispatch has been used before: a test runner has used everything.
@Suite("The first use of everything in a process that has few descriptors", .countsResources, .blocksThread)
struct FirstUseTests {
    static let spares = [0, 1, 2, 3, 4, 5, 7]
    private static let errors = [
        "TransportError", "WebSocketError", "NATSError", "SystemSourceError", "LoopbackServerError", "KeyboardError",
    ]

    @Test(arguments: spares)
    func `a connection, request, file, program, server or keyboard fails with a typed error, and succeeds later`(spare: Int) async throws {
        let server = LoopbackServer(.get("/hello") { _ in .text("hello") }, .webSocket("/echo") { _, messages in messages })
        try server.start()
        defer { server.stop() }
        let (folder, file) = (FileManager.default.temporaryDirectory.path, #filePath)
        let uses = [
            "socket": server.baseURL.absoluteString, "webSocket": "\(server.baseURL)/echo", "request": "\(server.baseURL)/hello",
            "file": file, "command": "", "changes": folder, "server": "", "keyboard": "",
        ]
        for (use, address) in uses {
            let lines = try await ProbeRun.lines(of: use, "\(spare)", address)
            try #require(lines.count == 2, "\(use): \(lines)")
            let first = lines[0].split(separator: " ")
            #expect(first[1] == "value" || Self.errors.contains(String(first[1])), "\(use): \(lines)")
            #expect(lines[1].hasPrefix("then value"), "\(use): \(lines)")
        }
    }

    #if !THREAD_SANITIZER
        @Test func `without memory for a thread they fail with a typed error, and succeed later`() async throws {
            let uses = ["file": #filePath, "command": "", "changes": FileManager.default.temporaryDirectory.path]
            for (use, address) in uses {
                let lines = try await ProbeRun.lines(of: use, "memory", address)
                try #require(lines.count == 2, "\(use): \(lines)")
                #expect(lines[0].contains(/^first SystemSourceError .*(thread|pthread_create)/), "\(use): \(lines)")
                #expect(lines[1].hasPrefix("then value"), "\(use): \(lines)")
            }
        }
    #endif

    @Test(
        .enabled(if: NATSServer.isInstalled, "nats-server is not installed"),
        arguments: spares)
    func `NATS fails with a typed error, and connects later`(spare: Int) async throws {
        let server = try NATSServer()
        let lines = try await ProbeRun.lines(of: "nats", "\(spare)", server.url)
        try #require(lines.count == 2)
        #expect(lines[0].hasPrefix("first NATSError Could not connect") || lines[0] == "first value flushed", "\(lines)")
        #expect(lines[1] == "then value flushed")
    }

    @Test(arguments: spares) func `the main loop says that descriptors are missing, and runs when there are some`(spare: Int) async throws {
        let lines = ["The main loop needs 8 free file descriptors (see ulimit -n).", "71", "7"]
        #expect(try await ProbeRun.lines(of: "main", "\(spare)", "") == lines)
    }
}

/// Runs the program `Probe`, which stands beside the tests.
private enum ProbeRun {
    /// What it says, and how it ended unless that was with success.
    static func lines(of use: String, _ limit: String, _ address: String) async throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.bundleURL.appending(path: "Probe")
        process.arguments = ["descriptors", use, limit, address]
        process.standardOutput = output
        process.standardError = output
        // A backtracer would inherit the pipe, and may outlive the program that it is about.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        let watchdog = ConcurrentDispatchQueueScheduler(qos: .utility).schedule(after: .seconds(1_000)) { process.terminate() }
        defer { watchdog.dispose() }
        // In a thread of its own: a program that is read blocks none of the threads that the other tests run in.
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                ended.wait()
                let isSuccess = process.terminationReason == .exit && process.terminationStatus == 0
                let end = isSuccess ? [] : ["ended with \(process.terminationReason) \(process.terminationStatus)"]
                continuation.resume(returning: text.split(separator: "\n").map(String.init) + end)
            }
        }
    }
}
