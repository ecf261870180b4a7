import Foundation

/// Runs `pulse`, or any program, with pipes and files as in a script, and tells all that it printed.
enum ShellRun {
    struct Result: Sendable, Equatable {
        let end: Child.End
        let output: String
        let errors: String

        /// Exit code 0, and nothing printed.
        static let quietSuccess = Result(end: .exit(0), output: "", errors: "")
    }

    /// Runs `pulse` with these arguments.
    ///
    /// - Parameter input: what standard input has; `nil` for the null device.
    static func pulse(_ arguments: [String], input: String? = nil, environment: [String: String] = [:]) async throws -> Result {
        try await run([PulseBinary.path], arguments, input: input, environment: environment)
    }

    static func run(
        _ program: [String], _ arguments: [String], input: String? = nil, environment: [String: String] = [:]
    ) async throws -> Result {
        let (inlet, output, errors) = (try Pipe(), try Pipe(), try Pipe())
        let child = try Child.start(
            arguments, program: program, environment: environment, input: input == nil ? -1 : inlet.read, output: output.write,
            errors: errors.write)
        close(inlet.read)
        output.closeWrite()
        errors.closeWrite()
        let (printed, reported) = (Reader(output.read), Reader(errors.read))
        // At most as much as a pipe takes without a reader.
        let bytes = Array((input ?? "").utf8)
        if !bytes.isEmpty { _ = write(inlet.write, bytes, bytes.count) }
        inlet.closeWrite()
        return await Result(end: child.end(), output: printed.all(), errors: reported.all())
    }
}

/// A folder for the files of a test, removed with it.
final class TestFolder: Sendable {
    let url: URL
    var path: String { url.path }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "pulse-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes a file and returns its path.
    func file(_ name: String, _ text: String) throws -> String {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}
