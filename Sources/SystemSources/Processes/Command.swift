import Foundation

/// A program with its arguments, which can be run any number of times.
///
/// ```swift
/// let changes = Command("git", "status", "--porcelain").lines()
/// // --a--b--|
/// ```
///
/// No shell is involved: an argument arrives as it is, whatever is in it. A program without `/` in its name is looked up in `PATH`. The
/// child runs in a session of its own, without a terminal, with the default action of each signal, and inherits no descriptors but the three
/// standard ones.
public struct Command: Sendable, Equatable {
    /// What the program reads from its standard input.
    public enum Input: Sendable, Equatable {
        /// Nothing: the end of the file.
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
    /// What the program reads from its standard input.
    public var input = Input.none
    /// How lines of the output are read.
    public var lineOptions = LineOptions()
    /// How long after SIGTERM a program that is being stopped gets SIGKILL; at once if zero.
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
    /// How a program ended.
    public enum ExitStatus: Sendable, Equatable {
        /// It exited with this code.
        case code(Int32)
        /// It was ended by this signal.
        case signal(Int32)

        /// Whether it exited with 0.
        public var isSuccess: Bool { self == .code(0) }
    }

    /// What a running program does.
    public enum Event: Sendable, Equatable {
        /// A line of its standard output.
        case output(String)
        /// A line of its standard error.
        case errorOutput(String)
        /// It ended. The stream completes.
        case exited(ExitStatus)
    }

    /// What a program wrote, and how it ended.
    public struct Output: Sendable, Equatable {
        /// How it ended.
        public let status: ExitStatus
        /// The bytes of its standard output.
        public let data: Data
        /// The bytes of its standard error.
        public let errorData: Data

        /// Its standard output; bytes that are not UTF-8 are replaced.
        public var text: String { String(decoding: data, as: UTF8.self) }
        /// Its standard error; bytes that are not UTF-8 are replaced.
        public var errorText: String { String(decoding: errorData, as: UTF8.self) }
    }
}

/// The reason why a program was not run, or is considered to have failed.
public enum CommandError: Error, Equatable, Sendable {
    /// There is no such program: neither at that path nor in `PATH`.
    case notFound(program: String)
    /// The file may not be executed.
    case notPermitted(program: String)
    /// The file is no program: it lacks the format of one, or its first line.
    case notExecutable(program: String)
    /// The working directory does not exist or is no directory.
    case directoryNotFound(path: String)
    /// An argument, a name or a value of the environment contains a null character, which no program can be given.
    case containsNull(String)
    /// The arguments and the environment are larger than the system allows.
    case argumentsTooLong
    /// The program wrote more than `limit` bytes.
    case outputTooLarge(limit: Int)
    /// The program ended with another status than 0; `errorOutput` is the last 4 KB of its standard error.
    case failed(program: String, Command.ExitStatus, errorOutput: String)
    /// The status of the child is not known, because this process ignores SIGCHLD or waits for its children elsewhere.
    case statusUnavailable
}

extension CommandError: LocalizedError, CustomStringConvertible {
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
