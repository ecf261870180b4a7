import Foundation
import Schedulers
import StreamsTesting
import TestSupport
import Testing

@Suite("The main loop, in a process of its own", .countsResources)
struct MainLoopTests {
    @Test func `stop makes run return its code, from any thread, also before it runs`() async throws {
        #expect(try await Probe.run("stop").code == 7)
        #expect(try await Probe.run("stop-before").code == 5)
        #expect(try await Probe.run("first-stop-wins").code == 3)
    }

    @Test func `run(until:) returns at its date with code 0`() async throws {
        let outcome = try await Probe.run("until")
        #expect(outcome.code == 0 && outcome.lines == ["true"])
    }

    @Test func `The loop can be run again`() async throws {
        let outcome = try await Probe.run("again")
        #expect(outcome.code == 2 && outcome.lines == ["1"])
    }

    @Test func `A program that awaits waits until stop is called, or its task is cancelled`() async throws {
        let outcome = try await Probe.run("await-stop")
        #expect(outcome.code == 7 && outcome.lines == ["0", "1", "2", "disposed"])
        let before = try await Probe.run("await-stop-before")
        #expect(before.code == 6 && before.lines == ["5"])
        let cancelled = try await Probe.run("await-cancelled")
        #expect(cancelled.code == 2 && cancelled.lines == ["0"])
    }

    @Test func `run ends a program that has awaited with a message, instead of returning at once`() async throws {
        // Not by which signal: ThreadSanitizer turns it into an exit code.
        let outcome = try await Probe.run("await-run", readingErrors: true)
        #expect(outcome.code != 0 && outcome.lines.contains { $0.hasSuffix("await MainLoop.stopped() instead") })
    }

    @Test func `A signal reaches its handler instead of ending the process`() async throws {
        #expect(try await Probe.run("signal", sending: SIGTERM).code == 143)
        let outcome = try await Probe.run("signals", sending: SIGHUP)
        #expect(outcome.code == 128 + SIGHUP && outcome.lines == ["ready", "\(SIGHUP) true"])
    }

    @Test func `Several handlers of a signal are all called, those that were disposed are not`() async throws {
        let outcome = try await Probe.run("signal-twice", sending: SIGHUP)
        #expect(outcome.lines == ["ready", "second", "third"])
    }

    @Test func `When the last handler is disposed the previous action of a signal is restored`() async throws {
        let outcome = try await Probe.run("signal-restored", sending: SIGHUP)
        #expect(outcome.signal == SIGHUP)
        #expect(try await Probe.run("signal-ignored").code == 0)
    }

    @Test func `Handling a signal does not affect others`() async throws {
        #expect(try await Probe.run("signal-other", sending: SIGHUP).signal == SIGTERM)
    }

    @Test func `The bag is disposed on the main loop after it has stopped, before run returns`() async throws {
        #expect(try await Probe.run("bag").lines == ["disposed true", "returned"])
    }

    #if os(Linux) && !THREAD_SANITIZER
        @Test func `While it is idle no thread wakes up`() async throws {
            let outcome = try await Probe.run("idle") { process in
                #expect((try? SleepingThreads.comeToRest(in: process)) == true)
                kill(process, SIGTERM)
            }
            #expect(outcome.code == 0 && outcome.lines == ["ready"])
        }
    #endif

    @Test func `It does not nest: a run inside a run ends the program with a message, and the outer one has lost nothing`() async throws {
        for mode in ["nested", "nested-in-timer"] {
            let outcome = try await Probe.run(mode, readingErrors: true)
            #expect(outcome.code != 0 && outcome.lines.contains { $0.hasSuffix("the main loop does not run inside itself") })
            #expect(!outcome.lines.contains("disposed"))
        }
    }

    @Test func `The main queue, main-actor tasks, timers and delays all run in it`() async throws {
        let outcome = try await Probe.run("everything-runs")
        #expect(Set(outcome.lines) == ["queue", "task", "timer", "delay", "scheduler"] && outcome.code == 0)
    }

    @Test func `Only code on the main loop may run synchronously, and only for the scheduler that allows it`() async throws {
        #expect(try await Probe.run("synchronous").lines == ["true false", "false", "true"])
    }

    @Test func `A binding delivers in order, synchronously only if nothing of its own is queued`() async throws {
        #expect(try await Probe.run("bind-in-order").lines == ["other 3", "subject 1", "subject 2"])
    }
}

/// Runs the program `Probe`, which stands beside the tests.
private struct Probe: Sendable {
    let code: Int32?
    let signal: Int32?
    let lines: [String]

    /// Runs it in `mode` to its end; sends it `signal` once it has said something.
    static func run(_ mode: String, sending signal: Int32, readingErrors: Bool = false) async throws -> Probe {
        try await run(mode, readingErrors: readingErrors) { kill($0, signal) }
    }

    /// Runs it in `mode` to its end, and `action` once it has said something.
    static func run(_ mode: String, readingErrors: Bool = false, action: (@Sendable (pid_t) -> Void)? = nil) async throws -> Probe {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.bundleURL.appending(path: "Probe")
        process.arguments = ["main-loop", mode]
        // A backtracer would inherit the pipe, and may outlive the program that it is about.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        process.standardOutput = output
        if readingErrors { process.standardError = output }
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        let watchdog = DispatchSource.makeTimerSource()
        watchdog.schedule(deadline: .now() + 600)
        watchdog.setEventHandler { process.terminate() }
        watchdog.activate()
        defer { watchdog.cancel() }
        // In a thread of its own: the queues are busy with other tests, and the program waits for its signal.
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var data = Data()
                if let action {
                    data += output.fileHandleForReading.availableData
                    action(process.processIdentifier)
                }
                data += output.fileHandleForReading.readDataToEndOfFile()
                ended.wait()
                continuation.resume(returning: Probe(process, text: String(decoding: data, as: UTF8.self)))
            }
        }
    }

    private init(_ process: Process, text: String) {
        let isExit = process.terminationReason == .exit
        code = isExit ? process.terminationStatus : nil
        signal = isExit ? nil : process.terminationStatus
        lines = text.split(separator: "\n").map(String.init)
    }
}
