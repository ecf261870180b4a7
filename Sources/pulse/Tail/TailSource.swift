import Foundation
import NetNodes
import SystemSources

/// Something that happened to what is followed.
enum TailEvent: Sendable, Equatable {
    /// A line of the source with that number.
    case line(source: Int, String)
    /// A message about a source that goes on.
    case note(source: Int, String)
    /// The source has ended, for this reason; `code` is the exit code that it leads to.
    case ended(source: Int, String, code: Int32)
}

/// The exit code of what has ended: that of the command, which is the last source, however early it ended.
struct TailOutcome: Sendable, Equatable {
    private(set) var code = ExitCode.success
    private var source = -1

    mutating func end(of source: Int, code: Int32) {
        if source >= self.source { (self.source, self.code) = (source, code) }
    }
}

/// The files and the command that are followed, as one stream.
struct TailSource: Sendable {
    /// The names of the sources, each a different one.
    let names: [String]
    private let sources: [Observable<TailEvent>]

    /// - Parameter longestLine: the bytes after which a line is cut.
    init(_ options: TailOptions, longestLine: Int) {
        var lines = LineOptions(maximumLength: longestLine)
        lines.longLines = .cut
        let paths = options.files.map { $0.relativePath }
        let shortNames = options.files.map(\.lastPathComponent)
        let fileNames = zip(paths, shortNames).map { path, name in shortNames.count { $0 == name } == 1 ? name : path }
        let files = options.files.enumerated().map { index, file in
            Self.events(of: file, source: index, from: .lastLines(options.lines), lines)
        }
        guard let program = options.command.first else {
            (names, sources) = (fileNames, files)
            return
        }
        var command = Command(program, arguments: Array(options.command.dropFirst()))
        command.lineOptions = lines
        names = fileNames + [(program as NSString).lastPathComponent]
        sources = files + [Self.events(of: command, source: files.count)]
    }

    /// Emits until every source has ended, as fast as the observer takes the lines.
    var events: Observable<TailEvent> { .merge(sources) }

    private static func events(of file: URL, source: Int, from start: LineOptions.FollowStart, _ lines: LineOptions) -> Observable<
        TailEvent
    > {
        let events = Observable.lines(following: file, from: start, lines).map { TailEvent.line(source: source, $0) }
        let waiting = Observable<TailEvent>.deferred {
            let isAwaited = access(file.path, F_OK) != 0 && access(file.deletingLastPathComponent().path, F_OK) == 0
            return isAwaited ? .just(.note(source: source, "\(file.relativePath) does not exist yet: it is waited for")) : .empty()
        }
        return waiting.concat(events)
            .catch { .just(.ended(source: source, ErrorWording.sentence($0), code: ExitCode.failure)) }
    }

    private static func events(of command: Command, source: Int) -> Observable<TailEvent> {
        command.run()
            .map { event in
                switch event {
                case .output(let line), .errorOutput(let line): .line(source: source, line)
                case .exited(let status): .ended(source: source, "\(command.program) \(status)", code: status.exitCode)
                }
            }
            .catch { .just(.ended(source: source, ErrorWording.sentence($0), code: ExitCode.ofCommand($0))) }
    }
}

extension Command.ExitStatus {
    /// The code with which a shell reports this end.
    fileprivate var exitCode: Int32 {
        switch self {
        case .code(let code): code
        case .signal(let number): ExitCode.signal(number)
        }
    }
}

extension ExitCode {
    /// The codes with which shells report a program that is not found, and one that cannot be run.
    fileprivate static func ofCommand(_ error: any Error) -> Int32 {
        switch error {
        case Command.Failure.notFound: 127
        case is Command.Failure: 126
        default: failure
        }
    }
}
