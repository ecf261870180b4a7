import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import SystemSources

@Suite("The end of commands", .countsResources, .blocksThread)
struct CommandDisposalTests {
    /// Runs a script whose processes hold a pipe open; the stream of that pipe completes when all of them have ended.
    private func run(_ script: String, grace: Duration, in place: Workplace) throws -> (Arrivals<Command.Event>, end: Arrivals<String>) {
        let end = Arrivals(Observable.lines(of: try place.fifo("alive")))
        var command = shell("exec 9> alive; " + script).in(place.folder)
        command.gracePeriod = grace
        return (Arrivals(command.run()), end)
    }

    @Test func `Disposing asks a program to end, which may clean up, also when it is stopped by a signal`() throws {
        let place = try Workplace()
        let (program, end) = try run(
            "trap 'echo cleaned >&9; exit' TERM; echo ready; kill -STOP $$; read never < /dev/zero", grace: .seconds(1_000), in: place)
        #expect(program.next() == .next(.output("ready")))
        program.dispose()
        #expect(end.next() == .next("cleaned"))
        #expect(end.next() == .completed)
    }

    @Test func `A program that ignores SIGTERM is killed after the grace period, with what it has started`() throws {
        let place = try Workplace()
        let (program, end) = try run(
            "trap '' TERM; sleep 1000 & echo ready; while :; do sleep 1000; done", grace: .milliseconds(10), in: place)
        #expect(program.next() == .next(.output("ready")))
        program.dispose()
        #expect(end.next() == .completed)
    }

    @Test func `Without a grace period it is killed at once`() throws {
        let place = try Workplace()
        let (program, end) = try run(
            "trap 'echo cleaned >&9; exit' TERM; echo ready; while :; do sleep 1000; done", grace: .zero, in: place)
        #expect(program.next() == .next(.output("ready")))
        program.dispose()
        #expect(end.next() == .completed)
    }

    @Test func `What the program has started gets SIGTERM too`() throws {
        let place = try Workplace()
        let (program, end) = try run("sleep 1000 & sleep 1000 & echo ready; wait", grace: .seconds(1_000), in: place)
        #expect(program.next() == .next(.output("ready")))
        program.dispose()
        #expect(end.next() == .completed)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .nanoseconds(1)])
    func `A grace period of any length is one`(grace: Duration) throws {
        let place = try Workplace()
        let (program, end) = try run("echo ready; sleep 1000", grace: grace, in: place)
        #expect(program.next() == .next(.output("ready")))
        program.dispose()
        #expect(end.next() == .completed)
    }

    @Test func `A program that writes endlessly while it is being stopped does not delay its end`() throws {
        let place = try Workplace()
        let (program, end) = try run("trap '' TERM; while :; do echo x; done", grace: .milliseconds(10), in: place)
        #expect(program.next() == .next(.output("x")))
        program.dispose()
        #expect(end.next() == .completed)
    }

    @Test func `A program that writes faster than its observer works waits`() throws {
        let place = try Workplace()
        let began = DispatchSemaphore(value: 0)
        let goOn = DispatchSemaphore(value: 0)
        let number = Lock<pid_t>(0)
        let progress = place.url("progress")
        let block = String(repeating: "x", count: 65_535)
        let script = "echo $$; i=0; while [ $i -lt 100 ]; do printf '%s\\n' \(block); i=$((i+1)); echo $i > progress; done"
        let done = Arrivals(
            shell(script).in(place.folder).lines().do(onNext: { line in
                guard let found = pid_t(line) else { return }
                number.withLock { $0 = found }
                began.signal()
                _ = goOn.wait(timeout: .now() + 600)
            }))
        #expect(began.wait(timeout: .now() + 600) == .success)
        // The child sleeps in a write into the pipe, and cannot go on until something is read.
        let child = "/proc/\(number.withLock { $0 })"
        let isWriting = try comesTrue { try String(contentsOfFile: "\(child)/syscall", encoding: .utf8).hasPrefix("1 0x1 ") }
        #expect(isWriting)
        let count = Int(try String(contentsOf: progress, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        #expect(count < 5)
        goOn.signal()
        #expect(done.elements(101).count == 101)
        #expect(done.next() == .completed)
    }

    @Test(.startsChild) func `After any end no zombie and no descriptor remains`() async {
        await #expect(processExitsWith: .success) {
            OpenDescriptors.prepareDispatch()
            let used = try OpenDescriptors.count()
            expectNothingLeft(within: bound) {
                for script in ["exit 1", "echo x", "echo x; exec >&- 2>&-", "echo x; exit 2", "echo x >&2; kill -9 $$"] {
                    shell(script).run().subscribe().dispose()
                    _ = shell(script).run().take(1).ended()
                    _ = shell(script).run().ended()
                }
                for script in ["sleep 1000", "exec >&- 2>&-; sleep 1000", "while :; do echo x; done", "trap '' TERM; sleep 1000"] {
                    var command = shell("echo x; \(script)")
                    command.gracePeriod = .milliseconds(5)
                    command.run().subscribe().dispose()
                    _ = command.run().take(1).ended()
                }
                _ = Command("/no/such/program").run().ended()
            }
            #expect(waitpid(-1, nil, WNOHANG) == -1)
            #expect(errno == ECHILD)
            #expect(try OpenDescriptors.count() == used)
        }
    }

    @Test(.startsChild) func `Without descriptors left it is a typed error, and nothing of it remains`() async {
        await #expect(processExitsWith: .success) {
            OpenDescriptors.prepareDispatch()
            let used = try OpenDescriptors.count()
            for spare in 0..<20 {
                try OpenDescriptors.limit(toSpare: spare)
                let outcome = expectNothingLeft(of: Command("/bin/echo", "line").run().ended())
                try OpenDescriptors.unlimit()
                guard let error = outcome.error else {
                    #expect(spare > 0 && outcome.elements == [.output("line"), .exited(.code(0))])
                    continue
                }
                guard case .outOfResources? = error as? SystemSourceError, spare < 16 else {
                    Issue.record("\(spare): \(outcome)")
                    continue
                }
            }
            expectNothingLeft(within: bound) { _ = Command("true").run().ended() }
            #expect(try OpenDescriptors.count() == used)
            #expect(waitpid(-1, nil, WNOHANG) == -1)
        }
    }

    @Test(.startsChild) func `A process that ignores SIGCHLD learns that the status is not available`() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            #expect(Command("true").run().ended().error as? Command.Failure == .statusUnavailable)
        }
    }
}
