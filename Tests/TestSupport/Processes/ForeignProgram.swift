import Foundation

/// A program that we did not write, in a process of its own.
public final class ForeignProgram: @unchecked Sendable {
    private let process = Process()
    private let output = Pipe()

    public init(_ path: String, _ arguments: [String]) throws {
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { stop() }

    /// Runs it to its end, and returns its exit code.
    @discardableResult
    public static func run(_ path: String, _ arguments: [String]) throws -> Int32 {
        let program = try ForeignProgram(path, arguments)
        _ = program.text
        program.process.waitUntilExit()
        return program.process.terminationStatus
    }

    /// The number that it prints first.
    public var port: Int {
        get throws {
            guard let port = Int(line) else { throw CocoaError(.fileReadUnknown) }
            return port
        }
    }

    /// The next text that it prints.
    public var line: String {
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// All that it prints until it ends.
    public var text: String { String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }

    public func stop() {
        guard process.isRunning else { return }
        // Dispatch's threads block all other signals, and the process inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
