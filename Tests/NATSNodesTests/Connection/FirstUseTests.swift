import Foundation
import LoopbackServer
import StreamsTesting
import TestSupport
import Testing

/// Each in a process of its own, `Probe`, in which nothing but Dispatch has been used before: a test runner has used everything.
@Suite("The first use of everything in a process that has few descriptors", .onOneThread, .countsResources, .blocksThread)
struct FirstUseTests {
    static let spares = [0, 1, 2, 3, 4, 5, 7]
    private static let errors = [
        "TransportError", "WebSocketConnection.Failure", "NATSError", "SystemSourceError", "LoopbackServer.Failure", "Keyboard.Failure",
    ]

    @Test(arguments: spares)
    func `A connection, request, file, program, server or keyboard fails with a typed error, and succeeds later`(spare: Int) async throws {
        let server = LoopbackServer(.get("/hello") { _ in .text("hello") }, .webSocket("/echo") { _, messages in messages })
        try server.start()
        defer { server.stop() }
        let (folder, file) = (FileManager.default.temporaryDirectory.path, #filePath)
        let uses = [
            "socket": server.baseURL.absoluteString, "webSocket": "\(server.baseURL)/echo", "request": "\(server.baseURL)/hello",
            "file": file, "command": "", "changes": folder, "server": "", "keyboard": "",
        ]
        for (use, address) in uses {
            let lines = try await ProbeRun.lines("descriptors", use, "\(spare)", address)
            try #require(lines.count == 2, "\(use): \(lines)")
            let first = lines[0].split(separator: " ")
            #expect(first[1] == "value" || Self.errors.contains(String(first[1])), "\(use): \(lines)")
            #expect(lines[1].hasPrefix("then value"), "\(use): \(lines)")
        }
    }

    #if !THREAD_SANITIZER
        @Test func `Without memory for a thread they fail with a typed error, and succeed later`() async throws {
            let uses = ["file": #filePath, "command": "", "changes": FileManager.default.temporaryDirectory.path]
            for (use, address) in uses {
                let lines = try await ProbeRun.lines("descriptors", use, "memory", address)
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
        let lines = try await ProbeRun.lines("descriptors", "nats", "\(spare)", server.url)
        try #require(lines.count == 2)
        #expect(lines[0].hasPrefix("first NATSError Could not connect") || lines[0] == "first value flushed", "\(lines)")
        #expect(lines[1] == "then value flushed")
    }

    @Test(.enabled(if: NATSServer.isInstalled, "nats-server is not installed"))
    func `Without a descriptor, identifiers differ: every element is stored, and every asker gets its own answer`() async throws {
        let server = try NATSServer(.init(hasJetStream: true))
        #expect(try await ProbeRun.lines("identifiers", server.url) == ["stored 10", "answered 200"])
    }

    @Test(arguments: spares) func `The main loop says that descriptors are missing, and runs when there are some`(spare: Int) async throws {
        let lines = ["The main loop needs 8 free file descriptors (see ulimit -n).", "71", "7"]
        #expect(try await ProbeRun.lines("descriptors", "main", "\(spare)", "") == lines)
    }
}
