import Foundation
import TerminalViews
import TestSupport

/// A running `pulse` on a pseudo-terminal of its own.
final class PulseRun: Sendable {
    /// The release build of `pulse`.
    static let executable = URL(filePath: #filePath).appending(path: "../../../../.build/release/pulse").standardized

    let process: Process
    private let terminal: PseudoTerminal
    private let started = ContinuousClock.now
    // Guarded by the condition: every access below holds it.
    private nonisolated(unsafe) var screen: TerminalEmulator
    private nonisolated(unsafe) var bytes = 0
    private let condition = NSCondition()

    init(_ arguments: [String], size: Size, environment: [String: String] = [:]) throws {
        guard let terminal = PseudoTerminal(size: size) else { throw CocoaError(.fileNoSuchFile) }
        self.terminal = terminal
        screen = TerminalEmulator(size: size)
        process = Process()
        process.executableURL = Self.executable
        process.arguments = arguments
        let device = FileHandle(fileDescriptor: terminal.program, closeOnDealloc: false)
        (process.standardInput, process.standardOutput) = (device, device)
        let usual = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "TZ": "UTC"]
        process.environment = usual.merging(environment) { $1 }
        try process.run()
        Thread.detachNewThread { [weak self] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(terminal.person, &buffer, buffer.count)
                guard count > 0, let self else { return }
                feed(buffer.prefix(count))
            }
        }
    }

    private func feed(_ piece: ArraySlice<UInt8>) {
        condition.withLock {
            screen.feed(piece)
            bytes += piece.count
            condition.broadcast()
        }
    }

    var picture: TerminalEmulator { condition.withLock { screen } }
    var bytesWritten: Int { condition.withLock { bytes } }

    /// Waits until the screen looks as wanted and returns the time since the start.
    @discardableResult
    func wait(seconds: Double = 60, until isReached: (TerminalEmulator) -> Bool) -> Duration? {
        let deadline = Date(timeIntervalSinceNow: seconds)
        return condition.withLock {
            while !isReached(screen) {
                guard condition.wait(until: deadline) else { return nil }
            }
            return ContinuousClock.now - started
        }
    }

    func type(_ text: String) { terminal.type(text.utf8) }

    func end() {
        type("q")
        process.waitUntilExit()
    }

    /// The processor time that it has used, in seconds.
    var processorTime: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return .nan }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Its resident memory in megabytes.
    var megabytes: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? .nan) / 1024
    }
}
