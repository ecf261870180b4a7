import Foundation
import LoopbackServer
import NetNodes
import StreamsTesting
import TerminalViews
import TestSupport
import Testing

@testable import pulse

@Suite("pulse get prints a body of any size and kind within 200 MB, and can be interrupted", .serialized, .countsResources, .stopsServers)
struct LargeBodyTests {
    struct Body: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let unit: String
        var start = ""
        var end = ""

        var data: Data { data(megabytes: 10) }

        func data(megabytes: Int) -> Data {
            let unit = Array(unit.utf8)
            let units = [UInt8](unsafeUninitializedCapacity: megabytes * 1_000_000) { buffer, count in
                for index in buffer.indices { buffer[index] = unit[index % unit.count] }
                count = buffer.count
            }
            return Data(start.utf8) + units + Data(end.utf8)
        }
    }

    private static let bodies = [
        Body(testDescription: "escape codes", unit: "\u{1B}[2J"), Body(testDescription: "one line", unit: "x"),
        Body(testDescription: "a JSON array", unit: "0,", start: "[", end: "0]"), Body(testDescription: "nested arrays", unit: "["),
        Body(testDescription: "marks on one letter", unit: "\u{301}", start: "e"),
        Body(testDescription: "one JSON string", unit: "a", start: "\"", end: "\""),
        Body(testDescription: "JSON lines", unit: "{\"a\":[1]}\n"),
    ]

    /// However long a busy machine takes to print what was sent, the server waits.
    private func server(_ route: LoopbackServer.Route) throws -> LoopbackServer {
        var limits = LoopbackServer.Limits()
        limits.idleTime = .seconds(3600)
        let server = LoopbackServer(limits: limits, route)
        try server.start()
        return server
    }

    private func server(_ body: Data) throws -> LoopbackServer {
        try server(.get("/x") { _ in .data(body, type: "text/plain") })
    }

    private struct Printed: Sendable {
        var bytes = 0
        var escapes = 0
        var peakMegabytes = 0
    }

    /// Reads all that the child prints.
    ///
    /// The peak is the kernel's, asked for before each piece is read: `wait4` would tell that of the test's own process, which the child shared
    /// before it was `pulse`. At the last time no more than fits into a pipe or a terminal is still to be printed.
    private func drain(_ descriptor: Int32, of child: Child) async -> (end: Child.End, printed: Printed) {
        async let end = child.end()
        let isOver = Flag()
        async let printed = blocking {
            var printed = Printed()
            while true {
                let wasOver = isOver.isSet
                printed.peakMegabytes = max(printed.peakMegabytes, child.peakMegabytes ?? 0)
                guard let piece = BareSession.piece(of: descriptor, milliseconds: 20) else { return printed }
                printed.bytes += piece.count
                printed.escapes += piece.withUnsafeBytes { $0.count { $0 == 0x1B } }
                if piece.isEmpty, wasOver { return printed }
            }
        }
        let result = await end
        isOver.set()
        return await (result, printed)
    }

    @Test(arguments: bodies) func `Two hostile megabytes on a terminal`(body: Body) async throws {
        let server = try server(body.data(megabytes: 2))
        let session = try #require(try BareSession(["get", "--color", "never", "\(server.baseURL)/x"]))
        let result = await drain(session.terminal.person, of: session.child)
        #expect(result.end == .exit(0))
        #expect(result.printed.escapes == 0)
        #expect(result.printed.bytes > 0)
        #expect((1..<Child.memoryLimit).contains(result.printed.peakMegabytes))
    }

    @Test(arguments: bodies) func `Ten hostile megabytes into a pipe, unchanged`(body: Body) async throws {
        let data = body.data
        let server = try server(data)
        let printed = try await printed(by: ["get", "\(server.baseURL)/x"])
        #expect(printed.bytes == data.count)
        #expect((1..<Child.memoryLimit).contains(printed.peakMegabytes))
    }

    @Test(arguments: ["0", "{}", "{\"\":{\"\":{\"\":0}}}", "\"\\u0000\"", "[[[[[[[[0]]]]]]]]"])
    func `JSON that makes much of little, as large as it is laid out`(unit: String) async throws {
        let count = (JSONOutline.largestBody - 2) / (unit.utf8.count + 1)
        let server = try server(Data("[\(String(repeating: unit + ",", count: count - 1))\(unit)]".utf8))
        let printed = try await printed(by: ["get", "--pretty", "\(server.baseURL)/x"])
        #expect((1..<Child.memoryLimit).contains(printed.peakMegabytes))
    }

    /// Waits until as much was received as fits into the program and the pipe, which nobody reads.
    private func waitUntilFull(_ output: Pipe) async {
        #expect(await blocking { comesTrue { output.isFull } })
    }

    @Test func `A large body needs no more than 20 MB of memory above what a small one needs, also if its reader waits`() async throws {
        let small = try await printed(bytes: Self.smallestThatWaits)
        #expect(small.bytes == Self.smallestThatWaits)
        let size = 50_000_000
        let large = try await printed(bytes: size)
        #expect(large.bytes == size)
        #if !THREAD_SANITIZER
            #expect(large.peakMegabytes < small.peakMegabytes + 20)
        #endif
    }

    /// More than fits into the pipe, so that the program is still there when its memory is asked for.
    private static let smallestThatWaits = 200_000

    private func printed(bytes: Int) async throws -> Printed {
        let server = try server(.get("/x") { _ in .generated(bytes: bytes) })
        return try await printed(by: ["get", "\(server.baseURL)/x"], waitsUntilFull: true)
    }

    /// Its output into a pipe, which is read at once or when it is full.
    private func printed(by arguments: [String], waitsUntilFull: Bool = false) async throws -> Printed {
        let output = try Pipe()
        let child = try Child.start(arguments, output: output.write)
        if waitsUntilFull { await waitUntilFull(output) }
        output.closeWrite()
        let result = await drain(output.read, of: child)
        close(output.read)
        #expect(result.end == .exit(0))
        return result.printed
    }

    @Test func `Ctrl-C terminates it while its output is not read, and while it has more to print`() async throws {
        let unread = try self.server(Self.bodies[1].data)
        let session = try #require(try BareSession(["get", "\(unread.baseURL)/x"]))
        #expect(await session.read(until: "xxx"))
        await session.type([0x03])
        #expect(await session.child.end() == .exit(130))

        let escapes = try self.server(Self.bodies[0].data)
        let reading = try #require(try BareSession(["get", "\(escapes.baseURL)/x"]))
        #expect(await reading.read(until: "␛[2J"))
        await reading.type([0x03])
        #expect(await reading.drainUntilEnd() == .exit(130))
    }

    @Test func `A reader that closes in the middle is a quiet exit, a full disk is reported`() async throws {
        let server = try server(Self.bodies[1].data)
        let run = try PipedRun(["get", "\(server.baseURL)/x"])
        #expect(await run.output.wait { !$0.isEmpty })
        run.closeOutput()
        #expect(await run.child.end() == .exit(0))
        #expect(await run.errors.all() == "")
        #if canImport(Glibc)
            let errors = try Pipe()
            let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
            let child = try Child.start(["get", "\(server.baseURL)/x"], output: full, errors: errors.write)
            errors.closeWrite()
            close(full)
            #expect(await child.end() == .exit(ExitCode.outputFailure))
            #expect(await Reader(errors.read).all() == "pulse: standard output could not be written: No space left on device\n")
        #endif
    }

    @Test func `Text is printed before its body is complete, and kept when the connection is lost`() async throws {
        let server = try running(
            .get("/hang") { _ in LoopbackServer.Response.text("first line\nsecond").with(.hang(at: .inBody(after: 11))) },
            .get("/break") { _ in LoopbackServer.Response.text("first line\nsecond").with(.truncate(after: 11)) })
        let waiting = try PipedRun(["get", "\(server.baseURL)/hang"])
        #expect(await waiting.output.wait { $0.elementsEqual("first line\n".utf8) })
        waiting.child.send(SIGINT)
        #expect(await waiting.child.end() == .exit(130))
        let broken = try PipedRun(["get", "\(server.baseURL)/break"])
        #expect(await broken.child.end() == .exit(ExitCode.incompleteBody))
        #expect(await broken.output.all() == "first line\n")
        #expect(await broken.errors.all().count { $0 == "\n" } == 1)
    }
}
