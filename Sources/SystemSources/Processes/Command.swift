import Foundation

/// A program with its arguments, which you can run any number of times.
///
/// ```swift
/// let changes = Command("git", "status", "--porcelain").lines()
/// // --a--b--|
/// ```
///
/// No shell is involved: an argument arrives as it is, whatever it contains. A program without `/` in its name is looked up in `PATH`. The
/// child runs in a session of its own, without a terminal, and with the default action of each signal. It inherits only the three standard
/// descriptors.
public struct Command: Sendable, Equatable {
    /// The standard input of the program.
    public enum Input: Sendable, Equatable {
        /// No bytes, only the end of the file.
        case none
        /// These bytes, and then the end of the file.
        case data(Data)
    }

    /// The name or the path of the program. A relative path starts at ``directory``.
    public var program: String
    /// The arguments, without the program's name.
    public var arguments: [String]
    /// The environment; `nil` inherits that of this process.
    public var environment: [String: String]?
    /// The working directory; `nil` inherits that of this process.
    public var directory: URL?
    /// The standard input of the program.
    public var input = Input.none
    /// The options for reading lines of the output.
    public var lineOptions = LineOptions()
    /// The time between SIGTERM and SIGKILL for a program that is being stopped; if zero, SIGKILL is sent at once.
    public var gracePeriod = Duration.seconds(5)

    /// Creates a command.
    public init(_ program: String, _ arguments: String...) {
        self.init(program, arguments: arguments)
    }

    /// Creates a command.
    public init(
        _ program: String, arguments: [String], environment: [String: String]? = nil, in directory: URL? = nil, input: Input = .none
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
        self.input = input
    }
}

extension Command {
    /// The end of a program.
    public enum ExitStatus: Sendable, Equatable {
        /// The program exited with this code.
        case code(Int32)
        /// This signal ended the program.
        case signal(Int32)

        /// Whether the program exited with 0.
        public var isSuccess: Bool { self == .code(0) }
    }

    /// An event of a running program.
    public enum Event: Sendable, Equatable {
        /// A line of the standard output.
        case output(String)
        /// A line of the standard error.
        case errorOutput(String)
        /// The program ended. The stream completes.
        case exited(ExitStatus)
    }

    /// The output of a program, and its end.
    public struct Output: Sendable, Equatable {
        /// The end of the program.
        public let status: ExitStatus
        /// The bytes of the standard output.
        public let data: Data
        /// The bytes of the standard error.
        public let errorData: Data

        /// The standard output as text; bytes that are not UTF-8 are replaced.
        public var text: String { String(decoding: data, as: UTF8.self) }
        /// The standard error as text; bytes that are not UTF-8 are replaced.
        public var errorText: String { String(decoding: errorData, as: UTF8.self) }
    }
}

extension Command {
    /// The reason why a program was not run, or is considered to have failed.
    public enum Failure: Error, Equatable, Sendable {
        /// There is no such program, neither at that path nor in `PATH`.
        case notFound(program: String)
        /// The file may not be executed.
        case notPermitted(program: String)
        /// The file is no program: it lacks the format of one, or a first line that names an interpreter.
        case notExecutable(program: String)
        /// The working directory does not exist or is no directory.
        case directoryNotFound(path: String)
        /// An argument, or a name or value of the environment, contains a null character, which cannot be passed to a program.
        case containsNull(String)
        /// The arguments and the environment are larger than the system allows.
        case argumentsTooLong
        /// The program wrote more than `limit` bytes.
        case outputTooLarge(limit: Int)
        /// The program ended with a status other than 0; `errorOutput` is the last 4 KB of its standard error.
        case failed(program: String, Command.ExitStatus, errorOutput: String)
        /// The status of the child is not known, because this process ignores SIGCHLD or waits for its children elsewhere.
        case statusUnavailable
    }
}

extension Command.Failure: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .notFound(let program): "There is no program \(program)."
        case .notPermitted(let program): "\(program) may not be executed."
        case .notExecutable(let program): "\(program) is not a program."
        case .directoryNotFound(let path): "The directory \(path) does not exist."
        case .containsNull(let text): "\(text.debugDescription) contains a null character."
        case .argumentsTooLong: "The arguments and the environment are too long."
        case .outputTooLarge(let limit): "The program wrote more than \(limit) bytes."
        case .failed(let program, let status, let errorOutput):
            "\(program) \(status)\(errorOutput.isEmpty ? "." : ": \(errorOutput)")"
        case .statusUnavailable: "The status of the program is not available."
        }
    }

    public var errorDescription: String? { description }
}

extension Command.ExitStatus: CustomStringConvertible {
    public var description: String {
        switch self {
        case .code(let code): "exited with \(code)"
        case .signal(let number): "was ended by signal \(number)"
        }
    }
}

extension Command {
    /// Returns the path of the program, after checks whose results the system's own error would not tell.
    func executable() throws -> String {
        let texts = [program] + arguments + environmentLines()
        if let text = texts.first(where: { $0.utf8.contains(0) }) { throw Failure.containsNull(text) }
        let directory = directory?.path(percentEncoded: false)
        if let directory, !Self.isDirectory(directory) { throw Failure.directoryNotFound(path: directory) }
        guard !program.isEmpty else { throw Failure.notFound(program: program) }
        guard !program.contains("/") else { return program }
        return try search()
    }

    /// Looks the program up as a shell does, in the `PATH` of the child.
    private func search() throws -> String {
        let path = (environment ?? ProcessInfo.processInfo.environment)["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        var error = Failure.notFound(program: program)
        for folder in path.split(separator: ":") {
            let candidate = "\(folder)/\(program)"
            guard !Self.isDirectory(candidate) else { continue }
            if access(candidate, X_OK) == 0 { return candidate }
            if errno == EACCES { error = .notPermitted(program: program) }
        }
        throw error
    }

    func environmentLines() -> [String] {
        (environment ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" }
    }

    /// Returns the error for a start that failed with the number `code`.
    func startError(_ code: Int32) -> any Error {
        switch code {
        case ENOENT, ENOTDIR: Failure.notFound(program: program)
        case EACCES, EPERM: Failure.notPermitted(program: program)
        case ENOEXEC: Failure.notExecutable(program: program)
        case E2BIG: Failure.argumentsTooLong
        default: SystemSourceError("posix_spawn", path: program, code: code)
        }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
