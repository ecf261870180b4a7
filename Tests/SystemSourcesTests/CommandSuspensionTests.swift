import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import SystemSources

@Suite("Suspended commands", .countsResources, .blocksThread)
struct CommandSuspensionTests {
    /// Both outputs, more than the pipes hold.
    private let script = "i=0; while [ $i -lt 20000 ]; do echo $i; echo e$i >&2; i=$((i+1)); done; printf last; exit 3"

    @Test func `Suspended and resumed at each line, both outputs arrive whole and in order, and then the status`() {
        let arrivals = Arrivals(shell(script).run(), suspendedFrom: 0)
        var (output, errors): ([String], [String]) = ([], [])
        while let event = arrivals.next() {
            #expect(arrivals.count == 0)
            arrivals.resume()
            switch event {
            case .next(.output(let line)): output.append(line)
            case .next(.errorOutput(let line)): errors.append(line)
            case .next(.exited(let status)): #expect(status == .code(3))
            case .completed, .error:
                #expect(event == .completed)
                #expect(output == (0..<20_000).map { "\($0)" } + ["last"])
                #expect(errors == (0..<20_000).map { "e\($0)" })
                return
            }
        }
        Issue.record("no end")
    }

    @Test func `A program that reads much input while its consumer is suspended now and then gets all of it`() {
        let lines = (0..<100_000).map { "\($0)" }
        var cat = Command("cat")
        cat.input = .data(Data(lines.map { $0 + "\n" }.joined().utf8))
        let arrivals = Arrivals(cat.lines())
        var received: [String] = []
        while let line = arrivals.next()?.element {
            received.append(line)
            guard received.count.isMultiple(of: 100) else { continue }
            arrivals.suspend()
            arrivals.resume()
        }
        #expect(received == lines)
    }

    @Test func `A loop over the values of an endless program that takes a few ends the program`() async throws {
        var count = 0
        for try await line in Command("yes").lines().values {
            #expect(line == "y")
            count += 1
            if count == 5_000 { break }
        }
        #expect(count == 5_000)
    }

    #if os(Linux)
        @Test(arguments: ["exec yes", "exec yes >&2"])
        func `Of an endless program ten lines are taken, and it sleeps in its write`(script: String) throws {
            let arrivals = Arrivals(shell("echo $$; \(script)").run(), suspendedFrom: 9)
            guard case .output(let number)? = arrivals.elements(10).first else {
                Issue.record("no line")
                return
            }
            let program = ProcessStatus(number)
            try program.waitUntilItWritesNoMore()
            // The lines that were read at once, and those in the pipe: there are no more here.
            #expect(try #require(program.bytesWritten) <= 65_536 + 65_536 + number.utf8.count + 1)
            #expect(program.state == "S")
            #expect(arrivals.count == 0)
            arrivals.dispose()
        }

        @Test func `A program that ends while its consumer is suspended is emitted to its end afterwards`() throws {
            let arrivals = Arrivals(shell("echo $$; echo one; echo why >&2; printf two; exit 3").lines(), suspendedFrom: 0)
            try ProcessStatus(#require(arrivals.next()?.element)).wait(for: "Z")
            for line in ["one", "two"] {
                #expect(arrivals.count == 0)
                arrivals.resume()
                #expect(arrivals.next() == .next(line))
            }
            #expect(arrivals.count == 0)
            arrivals.resume()
            #expect(arrivals.next()?.error as? Command.Failure == .failed(program: "/bin/sh", .code(3), errorOutput: "why"))
        }

        @Test func `Of much on the standard error of a program that is suspended at last, the error has the last bytes`() throws {
            let arrivals = Arrivals(shell("echo $$; yes why | head -n 300000 >&2; printf end >&2; exit 3").lines(), suspendedFrom: 0)
            #expect(arrivals.next()?.element != nil)
            arrivals.resume()
            guard case .failed(_, .code(3), let text)? = arrivals.next()?.error as? Command.Failure else {
                Issue.record("no error")
                return
            }
            #expect(text.utf8.count <= Command.excerptLimit && text.hasSuffix("why\nend"))
        }

        @Test(.startsChild) func `Disposed while they are suspended, programs leave no child and no descriptor`() async {
            await #expect(processExitsWith: .success) {
                OpenDescriptors.prepareDispatch()
                let used = try OpenDescriptors.count()
                try expectNothingLeft(within: bound) {
                    for script in ["exec yes", "exit 3", "exec >&- 2>&-; exec sleep 1000", "trap '' TERM; while :; do echo x; done"] {
                        var command = shell("echo $$; \(script)")
                        command.gracePeriod = .milliseconds(5)
                        let arrivals = Arrivals(command.run(), suspendedFrom: 0)
                        guard case .output(let number)? = arrivals.next()?.element else { throw Command.Failure.statusUnavailable }
                        // Whether it has ended, sleeps or writes: it is disposed at each of these.
                        if script == "exit 3" { try ProcessStatus(number).wait(for: "Z") }
                        if script == "exec yes" { try ProcessStatus(number).waitUntilItWritesNoMore() }
                        arrivals.dispose()
                    }
                }
                #expect(waitpid(-1, nil, WNOHANG) == -1)
                #expect(errno == ECHILD)
                #expect(try OpenDescriptors.count() == used)
            }
        }

        // The sanitizer has a thread of its own, which wakes up again and again.
        #if !THREAD_SANITIZER
            @Test(.startsChild) func `While their consumers are suspended the threads of the sources sleep`() async {
                await #expect(processExitsWith: .success) {
                    let place = try Workplace()
                    let file = try place.write("file", String(repeating: "line\n", count: 100_000))
                    let program = shell("while :; do echo line; done").lines()
                    let arrivals = [program, .lines(of: file), .lines(following: file, from: .beginning)].map { source in
                        Arrivals(source, suspendedFrom: 0)
                    }
                    for arrival in arrivals { #expect(arrival.next() == .next("line")) }
                    #expect(try SleepingThreads.comeToRest())
                    for arrival in arrivals { arrival.dispose() }
                }
            }
        #endif
    #endif
}
