import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import StreamsInspector

@Suite("The inspector, in a process of its own", .enabled(if: Inspector.isAvailable))
struct InspectedProcessTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private var directory: String { "\(folder.path)/streams" }

    private func start(isInspected: Bool = true, count: Int = 1) async throws -> ProbeProcess {
        try await ProbeProcess(
            ["inspector", "\(count)"], environment: ["XDG_RUNTIME_DIR": folder.path, "STREAMS_INSPECT": isInspected ? "1" : "0"])
    }

    @Test func `STREAMS_INSPECT=1 starts it, and the end of the process removes the socket`() async throws {
        let process = try await start()
        #expect(process.line.hasPrefix("\(directory)/\(process.number)-"))
        #expect(try InspectorSocket.list(in: directory).map(\.process) == [process.number])
        let snapshot = try InspectorSocket.snapshot(at: process.line)
        #expect(snapshot.process == process.number && snapshot.program == "Probe")
        #expect(snapshot.nodes.map(\.operatorName) == ["filter", "map", "PublishSubject"] && snapshot.nodes.map(\.elements) == [1, 1, 1])
        await process.end()
        #expect(try InspectorSocket.list(in: directory).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
        #expect(throws: InspectorSocket.Unreachable.self) { try InspectorSocket.snapshot(at: process.line) }
    }

    @Test(.startsChild) func `A fork that exits leaves the socket and the server to the process that serves`() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            let path = "\(folder.path)/\(getpid())-test.sock"
            try InspectorServer.start(at: path, InspectorScope().streams)
            let child = try #require(Fork.start())
            if child == 0 { exit(0) }
            var status: Int32 = -1
            #expect(waitpid(child, &status, 0) == child && status == 0)
            #expect(try InspectorSocket.version(at: path).process == getpid())
            InspectorServer.stop()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `Without it nothing is served`() async throws {
        let process = try await start(isInspected: false)
        #expect(process.line == "none" && !FileManager.default.fileExists(atPath: directory))
        await process.end()
    }

    @Test func `The socket of a process that was killed is not reported, and removed by the next one`() async throws {
        let killed = try await start()
        kill(killed.number, SIGKILL)
        await killed.end()
        #expect(FileManager.default.fileExists(atPath: killed.line))
        #expect(try InspectorSocket.list(in: directory).isEmpty)
        // As if its number were that of a process that serves nothing.
        let reused = "\(directory)/\(getpid())-0.sock"
        let descriptor = try InspectorSocket.make()
        #expect(LocalSocket.bind(descriptor, to: reused))
        close(descriptor)
        #expect(try InspectorSocket.list(in: directory).isEmpty)
        let next = try await start()
        #expect(!FileManager.default.fileExists(atPath: killed.line))
        #expect(try InspectorSocket.list(in: directory).map(\.process) == [next.number])
        await next.end()
    }

    #if os(Linux) && !THREAD_SANITIZER
        @Test func `Of 150,000 running operators as many are kept and answered as the limit says, and the others are counted`() async throws
        {
            let process = try await start(count: 50_000)
            // It asks, and reads nothing.
            let idle = try InspectorSocket.make()
            #expect(LocalSocket.connect(idle, to: process.line))
            #expect(send(idle, "snapshot\n", 9, InspectorSocket.withoutSignal) == 9)
            let answer = try InspectorSocket.answer(to: .snapshot(), at: process.line, within: .seconds(3_600))
            #expect(String(decoding: answer.suffix(100), as: UTF8.self).contains("\"hidden\":50000,\"nodes\":100000,\"started\":150000"))
            let memory = peakMemory(of: process.number)
            #expect(try InspectorSocket.answer(to: .snapshot(), at: process.line, within: .seconds(3_600)).count < 64 << 20)
            // The memory for an answer is the same for each.
            #expect(peakMemory(of: process.number) < memory + (64 << 20))
            close(idle)
            await process.end()
        }
    #endif

    @Test(.enabled(if: getuid() == 0, "only root can become another user"))
    func `Another user is refused, even if the modes of the files admit everybody`() async throws {
        let process = try await start()
        for path in [folder.path, directory] { chmod(path, 0o755) }
        chmod(process.line, 0o777)
        #expect(try await ProbeProcess(["inspect", process.line, "0"]).line == "3 operators")
        #expect(try await ProbeProcess(["inspect", process.line, "65534"]).line.hasPrefix("refused: "))
        #expect(try InspectorSocket.snapshot(at: process.line).nodes.count == 3)
        await process.end()
    }
}

/// Where the processes of one test have their sockets, until the test has ended.
final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "inspected-\(UInt32.random(in: 0 ... .max))").path

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// The program `Probe`, which stands beside the tests, from its first line of output on.
private final class ProbeProcess: Sendable {
    private let process: Process
    private let input = Pipe()
    private let ended = DispatchSemaphore(value: 0)
    let line: String

    var number: Int32 { process.processIdentifier }

    init(_ arguments: [String], environment: [String: String] = [:]) async throws {
        let (process, output) = (Process(), Pipe())
        process.executableURL = Bundle.main.bundleURL.appending(path: "Probe")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        (process.standardInput, process.standardOutput) = (input, output)
        process.terminationHandler = { [ended] _ in ended.signal() }
        try process.run()
        self.process = process
        line = await Self.onThread {
            String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).trimmingCharacters(in: .newlines)
        }
    }

    /// Closes its input, and waits until it has ended.
    func end() async {
        try? input.fileHandleForWriting.close()
        await Self.onThread { [ended] in ended.wait() }
    }

    /// Runs what blocks on a thread of its own.
    private static func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}

/// The call that Swift's module of the C library leaves out.
private enum Fork {
    #if os(Linux)
        private static var program: UnsafeMutableRawPointer? { nil }
    #else
        private static var program: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: -2) }
    #endif

    /// Returns the number of the child, and 0 in the child; returns `nil` if the process cannot fork.
    static func start() -> pid_t? {
        guard let address = dlsym(program, "fork") else { return nil }
        let child = unsafeBitCast(address, to: (@convention(c) () -> pid_t).self)()
        return child < 0 ? nil : child
    }
}
