import Foundation

/// A program that we did not write, in a process of its own.
final class ForeignProgram: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()

    init(_ path: String, _ arguments: [String]) throws {
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { stop() }

    /// Runs it to its end, and returns its exit code.
    @discardableResult
    static func run(_ path: String, _ arguments: [String]) throws -> Int32 {
        let program = try ForeignProgram(path, arguments)
        _ = program.text
        program.process.waitUntilExit()
        return program.process.terminationStatus
    }

    /// The number that it prints first.
    var port: Int {
        get throws {
            guard let port = Int(line) else { throw CocoaError(.fileReadUnknown) }
            return port
        }
    }

    /// The next text that it prints.
    var line: String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// All that it prints until it ends.
    var text: String { String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }

    func stop() {
        guard process.isRunning else { return }
        // Dispatch's threads block all other signals, and the process inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
