import Foundation
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import ExampleService

/// The network's operators at work on the lines of files and the output of processes.
@Suite("Without a network", .countsResources)
struct ExampleServiceTests {
    /// A worker that does `one`, is out of time once for `two`, never does `three`, and accepts only the key that it gave last.
    private static let script = """
        #!/bin/sh
        here=$(dirname "$0")
        if [ "$1" = --key ]; then
            echo k >> "$here/keys"
            wc -l < "$here/keys" | tr -d ' ' > "$here/key"
            cat "$here/key"
            exit 0
        fi
        [ "$2" = "$(cat "$here/key" 2>/dev/null)" ] && [ -n "$2" ] || exit 77
        case $1 in
            two) mkdir "$here/tried" 2>/dev/null && exit 75 ;;
            three) exit 1 ;;
            endless) exec sleep 1000 ;;
        esac
        echo done
        """

    private struct Workplace {
        let directory = FileManager.default.temporaryDirectory.appending(path: "service-\(UUID().uuidString)")
        var jobs: URL { directory.appending(path: "jobs") }
        var worker: URL { directory.appending(path: "worker.sh") }
        var keys: Int { (try? String(contentsOf: directory.appending(path: "keys"), encoding: .utf8))?.split(separator: "\n").count ?? 0 }

        init(_ jobs: String) throws {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try jobs.write(to: self.jobs, atomically: true, encoding: .utf8)
            try script.write(to: worker, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker.path)
        }

        func remove() { try? FileManager.default.removeItem(at: directory) }
    }

    private func run(_ place: Workplace, until last: String) throws -> [String] {
        let service = Service(jobs: place.jobs, worker: Program(place.worker), pause: .seconds(1_000))
        return try service.lines.take(while: { $0 != last }, behavior: .inclusive).ended().get()
    }

    @Test func `One refresh for all jobs, another attempt after a timeout, and other failures are reported`() throws {
        let place = try Workplace("one\ntwo\n\nthree\n")
        defer { place.remove() }
        let lines = try run(place, until: "idle")
        #expect(lines.first == "busy")
        #expect(lines.last == "idle")
        #expect(Set(lines) == ["busy", "one: done", "two: done", "three failed: The program ended with code 1.", "idle"])
        #expect(place.keys == 1)
    }

    @Test func `A new key is requested on demand, one at a time, and reported; so is a failure`() throws {
        let place = try Workplace("one\n")
        defer { place.remove() }
        let renewals = PublishSubject<Void>()
        let service = Service(jobs: place.jobs, worker: Program(place.worker), pause: .seconds(1_000), renewals: renewals.asObservable())
        let lines = service.lines.do(onNext: { line in
            guard line == "idle" else { return }
            for _ in 0..<3 { renewals.onNext(()) }
        })
        let told = try lines.take(while: { !$0.hasPrefix("key") }, behavior: .inclusive).ended().get()
        #expect(told.last == "key renewed")
        // One for all requests, unless the program has ended between two of them: the machine decides that.
        #expect((2...4).contains(place.keys))
        let missing = Service(
            jobs: place.jobs, worker: Program(place.directory.appending(path: "missing")), pause: .seconds(1_000), renewals: .just(()))
        let refused = try missing.lines.filter { $0.hasPrefix("key") }.take(1).ended().get()
        #expect(refused.first?.hasPrefix("key not renewed: ") == true)
    }

    @Test func `A worker that keeps failing is not run any more, and that is reported`() throws {
        let place = try Workplace(String(repeating: "three\n", count: 6))
        defer { place.remove() }
        let service = Service(
            jobs: place.jobs, worker: Program(place.worker), pause: .seconds(1_000),
            breaker: CircuitBreaker(.consecutiveFailures(2), openFor: .seconds(1_000)) { $0 as? ProgramError == .failed(code: 1) })
        let lines = try service.lines.take(while: { $0 != "idle" }).ended().get()
        #expect(lines.contains("worker: circuit breaker open"))
        #expect(lines.filter { $0.hasPrefix("three failed: ") }.count == 6)
        #expect(service.breaker.currentMetrics.state == .open && service.workers.currentMetrics.running == 0)
    }

    @Test func `A missing file is reported, and the service continues`() throws {
        let place = try Workplace("")
        place.remove()
        #expect(try run(place, until: "idle").contains { $0.hasPrefix("no jobs: ") })
    }

    @Test func `Disposing terminates the running program`() throws {
        let began = DispatchSemaphore(value: 0)
        let gone = DispatchSemaphore(value: 0)
        let program = Program(URL(filePath: "/bin/sh")).output(["-c", "echo $$; exec sleep 1000"])
        let number = BehaviorRelay<pid_t>(value: 0)
        let subscription = program.subscribe(
            onNext: { line in
                number.accept(pid_t(line) ?? 0)
                began.signal()
            }, onDisposed: { gone.signal() })
        #expect(began.wait(timeout: .now() + 300) == .success)
        subscription.dispose()
        #expect(gone.wait(timeout: .now() + 300) == .success)
        #expect(comesTrue { kill(number.value, 0) == -1 })
    }

    @Test(arguments: ["one", "endless"])
    func `The program logs its actions, stops at SIGTERM with exit code 0, and stops its workers`(job: String) throws {
        let place = try Workplace(job)
        defer { place.remove() }
        let service = try RunningService(place.jobs, place.worker)
        service.read(until: job == "one" ? "one: done\n" : "busy\n")
        #expect(service.stop() == 0)
        #expect(service.said.hasPrefix("busy\n"))
        #expect(service.said.hasSuffix("stopped\n"))
    }

    @Test func `Each line is also in the log as JSON, with the figures of the load, and the log goes on at the next start`() throws {
        let place = try Workplace("one\n")
        defer { place.remove() }
        let log = place.directory.appending(path: "log")
        var said: [String] = []
        for _ in 0..<2 {
            let service = try RunningService(place.jobs, place.worker, place.directory.appending(path: "health"), log)
            service.read(until: "one: done\n")
            #expect(service.stop() == 0)
            said += service.said.split(separator: "\n").map(String.init).filter { $0 != "stopped" }
        }
        let records = try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map { line in
            try JSONDecoder().decode(LogRecord.self, from: Data(line.utf8))
        }
        #expect(records.map(\.event) == said)
        #expect(records.filter { $0.event == "one: done" }.allSatisfy { $0.running == 1 })
        #expect(records.allSatisfy { $0.breaker == "closed" && $0.queued == 0 && $0.failed == 0 })
    }

    @Test func `SIGHUP requests a new key immediately`() throws {
        let place = try Workplace("one")
        defer { place.remove() }
        let service = try RunningService(place.jobs, place.worker)
        service.read(until: "one: done\n")
        service.send(SIGHUP)
        service.read(until: "key renewed\n")
        #expect(service.stop() == 0)
        #expect(service.said.hasSuffix("stopped\n"))
        #expect(place.keys >= 2)
    }
}

extension ExampleServiceTests {
    /// Asks a socket as the probe of a container does; gives what is printed, and the exit code.
    private func probe(_ socket: URL) throws -> (said: String, code: Int32) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = Bundle.main.bundleURL.appending(path: "ExampleService")
        process.arguments = ["--probe", socket.path]
        process.standardOutput = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (said, process.terminationStatus)
    }

    @Test func `The program answers probes: it is ready while it can read its jobs, and nobody answers when it has ended`() throws {
        let place = try Workplace("one")
        defer { place.remove() }
        let socket = place.directory.appending(path: "health")
        let service = try RunningService(place.jobs, place.worker, socket)
        service.read(until: "one: done\n")
        #expect(try comesTrue { try probe(socket) == ("ready\n", 0) })
        try FileManager.default.removeItem(at: place.jobs)
        #expect(try comesTrue { try probe(socket) == ("not ready: jobs: \(place.jobs.path) does not exist.\n", 1) })
        #expect(service.stop() == 0)
        #expect(try probe(socket) == ("\(socket.path) does not exist.\n", 1))
    }
}

/// The service as a process of its own, with what it says. It is killed when it runs for ten minutes.
private final class RunningService {
    private let process = Process()
    private let output = Pipe()
    private let watchdog = DispatchSource.makeTimerSource()
    private(set) var said = ""

    init(_ jobs: URL, _ worker: URL, _ socket: URL? = nil, _ log: URL? = nil) throws {
        process.executableURL = Bundle.main.bundleURL.appending(path: "ExampleService")
        process.arguments = [jobs.path, worker.path, "0.05"] + [socket, log].compactMap { $0?.path }
        process.standardOutput = output
        try process.run()
        watchdog.schedule(deadline: .now() + 600)
        watchdog.setEventHandler { [number = process.processIdentifier] in kill(number, SIGKILL) }
        watchdog.activate()
    }

    deinit { watchdog.cancel() }

    func read(until text: String) {
        while !said.contains(text), case let data = output.fileHandleForReading.availableData, !data.isEmpty {
            said += String(decoding: data, as: UTF8.self)
        }
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Sends SIGTERM and gives the exit code; nil where it ended otherwise.
    func stop() -> Int32? {
        send(SIGTERM)
        said += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }
}
