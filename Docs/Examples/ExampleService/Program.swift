import Foundation
import SystemSources

/// The reason why a program failed.
enum ProgramError: Error, Equatable, LocalizedError {
    /// It requires another key (exit code 77, "no permission" in sysexits.h).
    case refused
    /// It timed out (exit code 75, "temporary failure" in sysexits.h).
    case ranOutOfTime
    case failed(code: Int32)
    case ended(signal: Int32)

    /// Creates the error that an exit status stands for; `nil` for other errors.
    init?(_ error: any Error) {
        guard case .failed(_, let status, _)? = error as? Command.Failure else { return nil }
        switch status {
        case .code(75): self = .ranOutOfTime
        case .code(77): self = .refused
        case .code(let code): self = .failed(code: code)
        case .signal(let number): self = .ended(signal: number)
        }
    }

    var errorDescription: String? {
        switch self {
        case .refused: "The key was not accepted."
        case .ranOutOfTime: "The program ran out of time."
        case .failed(let code): "The program ended with code \(code)."
        case .ended(let signal): "The program was ended by signal \(signal)."
        }
    }
}

/// A program that can be run repeatedly.
struct Program: Sendable {
    private let url: URL

    init(_ url: URL) {
        self.url = url
    }

    /// Emits the lines of the program's output as they are written. Cold: each subscription runs it; disposing terminates it.
    ///
    /// Any exit code but 0 is a ``ProgramError``.
    func output(_ arguments: [String]) -> Observable<String> {
        var command = Command(url.path, arguments: arguments)
        command.gracePeriod = .zero
        return command.lines().catch { error in .error(ProgramError(error) ?? error) }
    }
}
