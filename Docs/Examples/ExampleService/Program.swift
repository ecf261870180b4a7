import Foundation
import Streams

/// The reason why a program failed.
enum ProgramError: Error, Equatable, LocalizedError {
    /// It requires another key (exit code 77, "no permission" in sysexits.h).
    case refused
    /// It timed out (exit code 75, "temporary failure" in sysexits.h).
    case ranOutOfTime
    case failed(code: Int32)

    var errorDescription: String? {
        switch self {
        case .refused: "The key was not accepted."
        case .ranOutOfTime: "The program ran out of time."
        case .failed(let code): "The program ended with code \(code)."
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
        .create { [url] observer in
            let process = Process()
            let output = Pipe()
            process.executableURL = url
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            do { try process.run() } catch {
                observer.onError(error)
                return Disposables.create()
            }
            let number = process.processIdentifier
            let run = Run(process: process, output: output.fileHandleForReading)
            Thread.detachNewThread { run.tell(observer) }
            // Dispatch's threads block all other signals, and the process may inherit that mask.
            return Disposables.create { if run.isRunning { kill(number, SIGKILL) } }
        }
    }

    /// One run, read on a thread of its own.
    private final class Run: Sendable {
        private let process: Process
        private let output: FileHandle
        private let isOver = Lock(false)

        init(process: Process, output: FileHandle) {
            self.process = process
            self.output = output
        }

        var isRunning: Bool { !isOver.withLock { $0 } }

        func tell(_ observer: AnyObserver<String>) {
            var rest = ""
            while case let data = output.availableData, !data.isEmpty {
                var lines = (rest + String(decoding: data, as: UTF8.self)).split(separator: "\n", omittingEmptySubsequences: false)
                rest = lines.popLast().map(String.init) ?? ""
                for line in lines { observer.onNext(String(line)) }
            }
            if !rest.isEmpty { observer.onNext(rest) }
            process.waitUntilExit()
            isOver.withLock { $0 = true }
            end(process.terminationStatus, observer)
        }

        private func end(_ code: Int32, _ observer: AnyObserver<String>) {
            switch code {
            case 0: observer.onCompleted()
            case 75: observer.onError(ProgramError.ranOutOfTime)
            case 77: observer.onError(ProgramError.refused)
            default: observer.onError(ProgramError.failed(code: code))
            }
        }
    }
}
