import Foundation
import StreamsTesting
import TestSupport
import Testing

@testable import TerminalViews

@MainActor
@Suite("A terminal is set up and restored", .serialized, .countsResources)
struct TerminalTests {
    private let pair: PseudoTerminal
    private let environment = ["TERM": "xterm-256color"]

    init() throws {
        pair = try #require(PseudoTerminal(size: Size(width: 90, height: 30)))
    }

    private func makeTerminal() throws -> Terminal {
        try #require(Terminal(input: pair.program, output: pair.program, environment: environment))
    }

    /// The output of the program so far, read until it contains that text.
    private func output(until text: String) async -> String {
        let person = pair.person
        return await Task.detached {
            var all = ""
            var waiting = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
            var buffer = [UInt8](repeating: 0, count: 4096)
            while !all.contains(text), poll(&waiting, 1, 300_000) > 0 {
                let count = read(person, &buffer, buffer.count)
                guard count > 0 else { break }
                all += String(decoding: buffer.prefix(count), as: UTF8.self)
            }
            return all
        }.value
    }

    @Test func `Its size and colors are known`() throws {
        let terminal = try makeTerminal()
        #expect(terminal.size == Size(width: 90, height: 30))
        #expect(terminal.colorDepth == .palette)
        pair.resize(to: Size(width: 7, height: 3))
        #expect(terminal.size == Size(width: 7, height: 3))
        pair.resize(to: .zero)
        #expect(terminal.size == Size(width: 80, height: 24))
    }

    @Test func `Entering changes modes and screen, leaving restores both`() async throws {
        let terminal = try makeTerminal()
        let before = pair.modes
        #expect(terminal.enter())
        #expect(pair.modes != before)
        #expect(await output(until: "2004h") == "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2004h")
        terminal.leave()
        #expect(pair.modes == before)
        #expect(await output(until: "1049l") == "\u{1B}[m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        terminal.leave()
    }

    @Test func `Anything but a terminal with control sequences is rejected`() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        #expect(Terminal(input: pair.program, output: ends[1], environment: environment) == nil)
        #expect(Terminal(input: ends[0], output: pair.program, environment: environment) == nil)
        #expect(Terminal(input: pair.program, output: pair.program, environment: ["TERM": "dumb"]) == nil)
    }

    @Test func `A blocked terminal blocks nothing`() async throws {
        let terminal = try makeTerminal()
        let before = pair.modes
        terminal.enter()
        terminal.write(Array(repeating: 0x78, count: 1_000_000)) { _ in }
        // Returns, although nobody reads what it writes.
        terminal.leave()
        #expect(pair.modes == before)
        _ = await output(until: "1049l")
    }

    @Test func `Keys are a stream, with a lone Esc after a delay, which completes when the terminal disconnects`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let keyboard = Keyboard(descriptor: ends[0])
        let (keys, continuation) = AsyncStream<Key?>.makeStream()
        let subscription = keyboard.keys.subscribe(
            onNext: { continuation.yield($0) },
            onCompleted: {
                continuation.yield(nil)
                continuation.finish()
            }
        )
        write(ends[1], "a\u{1B}[A\u{1B}", 5)
        var received: [Key?] = []
        for await key in keys {
            received.append(key)
            if key == .escape { close(ends[1]) }
        }
        #expect(received == [.character("a"), .up, .escape, nil])
        subscription.dispose()
        close(ends[0])
    }

    @Test func `A keyboard that cannot be read fails with the reason, whenever it is subscribed to`() {
        let keyboard = Keyboard(descriptor: -1)
        for _ in 0..<2 {
            let error = Lock<(any Error)?>(nil)
            keyboard.keys.subscribe(onError: { failure in error.withLock { $0 = failure } }).dispose()
            let failure = error.withLock { $0 as? Keyboard.Failure }
            #expect(failure?.operation == "dup" && failure?.code == EBADF)
            #expect(failure?.localizedDescription == "The keyboard cannot be read (dup): Bad file descriptor.")
        }
        keyboard.stop()
    }
}
