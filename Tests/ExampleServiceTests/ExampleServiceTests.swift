import Foundation
import Streams
import StreamsTesting
import Testing

@testable import ExampleService

/// The network's operators at work on the lines of files and the output of processes.
@Suite("Far from the network", .countsResources)
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
        return try service.lines.take(while: { $0 != last }, behavior: .inclusive).toBlocking(timeout: .seconds(30)).toArray()
    }

    @Test("one refresh for all jobs, another attempt for what ran out of time, and the rest is told")
    func round() throws {
        let place = try Workplace("one\ntwo\n\nthree\n")
        defer { place.remove() }
        let lines = try run(place, until: "idle")
        #expect(lines.first == "busy")
        #expect(lines.last == "idle")
        #expect(Set(lines) == ["busy", "one: done", "two: done", "three failed: The program ended with code 1.", "idle"])
        #expect(place.keys == 1)
    }

    @Test("a file that is not there is told, and the service goes on")
    func noFile() throws {
        let place = try Workplace("")
        place.remove()
        #expect(try run(place, until: "idle").contains { $0.hasPrefix("no jobs: ") })
    }

    @Test("disposing ends the program that runs")
    func disposal() throws {
        let began = DispatchSemaphore(value: 0)
        let gone = DispatchSemaphore(value: 0)
        let program = Program(URL(filePath: "/bin/sh")).output(["-c", "echo $$; exec sleep 1000"])
        let number = BehaviorRelay<pid_t>(value: 0)
        let subscription = program.subscribe(
            onNext: { line in
                number.accept(pid_t(line) ?? 0)
                began.signal()
            }, onDisposed: { gone.signal() })
        #expect(began.wait(timeout: .now() + 60) == .success)
        subscription.dispose()
        #expect(gone.wait(timeout: .now() + 60) == .success)
        let deadline = ContinuousClock.now + .seconds(20)
        while kill(number.value, 0) == 0, ContinuousClock.now < deadline { sched_yield() }
        #expect(kill(number.value, 0) == -1)
    }

    @Test("the program says what it does, stops at SIGTERM with exit code 0, and takes its workers along", arguments: ["one", "endless"])
    func stops(job: String) throws {
        let place = try Workplace(job)
        defer { place.remove() }
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.bundleURL.appending(path: "ExampleService")
        process.arguments = [place.jobs.path, place.worker.path, "0.05"]
        process.standardOutput = output
        try process.run()
        let watchdog = DispatchSource.makeTimerSource()
        watchdog.schedule(deadline: .now() + 60)
        watchdog.setEventHandler { [number = process.processIdentifier] in kill(number, SIGKILL) }
        watchdog.activate()
        defer { watchdog.cancel() }
        var said = ""
        while !said.contains(job == "one" ? "one: done\n" : "busy\n"), case let data = output.fileHandleForReading.availableData,
            !data.isEmpty
        {
            said += String(decoding: data, as: UTF8.self)
        }
        kill(process.processIdentifier, SIGTERM)
        said += String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(said.hasPrefix("busy\n"))
        #expect(said.hasSuffix("stopped\n"))
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }
}
