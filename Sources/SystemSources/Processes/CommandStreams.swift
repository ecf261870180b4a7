import Foundation

extension Command {
    /// The maximum number of bytes that `output()` collects.
    static let outputLimit = 64 * 1024 * 1024
    /// The number of bytes of the standard error that `Command.Failure.failed` shows.
    static let excerptLimit = 4 * 1024

    /// Runs the program, emits its lines and then its end, and completes. A status other than 0 is no error.
    ///
    /// ```swift
    /// Command("make", "test").run().subscribe(onNext: { event in
    ///     switch event {
    ///     case .output(let line), .errorOutput(let line): print(line)
    ///     case .exited(let status): print(status)
    ///     }
    /// })
    /// ```
    ///
    /// Each subscription runs the program again, and emits on a thread of its own. Lines within one output have the program's order;
    /// between the two outputs the order is approximate. While the observer works or the consumer is suspended nothing is read: a program
    /// that writes faster waits when the pipe is full, and its end is noticed later. All output of the program itself is emitted before its
    /// end; later output of a process that it left running is not.
    ///
    /// Disposing sends SIGTERM to the program and to the processes that it has started, and SIGKILL after ``gracePeriod``; it does not wait
    /// for their end. A stopped program is always reaped, so that none remains as a zombie. A process that has left the program's session
    /// (`setsid`, a daemon) gets neither signal and continues. No stream waits for it, and its pipes are closed here after ``gracePeriod``
    /// at the latest.
    ///
    /// Fails with a ``Command/Failure``, or with a ``SystemSourceError`` for lines and exhausted resources.
    /// Source: [Swift, Subprocess](https://github.com/swiftlang/swift-subprocess).
    public func run() -> Observable<Event> {
        Observable.onThread { thread in
            var (output, errors) = (LineDecoder(lineOptions), LineDecoder(lineOptions))
            try CommandRun(self, thread).run { chunk in
                switch chunk {
                case .output(let bytes): try output.emitLines(of: bytes, to: thread) { .output($0) }
                case .errorOutput(let bytes): try errors.emitLines(of: bytes, to: thread) { .errorOutput($0) }
                case .exited(let status):
                    try output.emitLast(to: thread) { .output($0) }
                    try errors.emitLast(to: thread) { .errorOutput($0) }
                    try thread.emitWhenResumed(.exited(status))
                }
            }
        }
    }

    /// Runs the program and emits the lines of its standard output. Fails with ``Command/Failure/failed(program:_:errorOutput:)`` unless
    /// the program exits with 0; the last 4 KB of its standard error are stored for that error.
    ///
    /// ```swift
    /// let branches = Command("git", "branch", "--format=%(refname:short)").lines()
    /// // --a--b--|
    /// ```
    ///
    /// Otherwise like ``run()``.
    public func lines() -> Observable<String> {
        Observable.onThread { thread in
            var output = LineDecoder(lineOptions)
            var errors = Data()
            try CommandRun(self, thread).run { chunk in
                switch chunk {
                case .output(let bytes): try output.emitLines(of: bytes, to: thread) { $0 }
                case .errorOutput(let bytes): errors = Data((errors + bytes).suffix(Self.excerptLimit))
                case .exited(let status):
                    try output.emitLast(to: thread) { $0 }
                    guard status.isSuccess else { throw failure(status, errors) }
                }
            }
        }
    }

    /// Runs the program and emits its complete output and its status when it has ended, whatever the status is.
    ///
    /// ```swift
    /// let revision = try await Command("git", "rev-parse", "HEAD").output().value.text
    /// ```
    ///
    /// Fails with ``Command/Failure/outputTooLarge(limit:)``, and stops the program, if it writes more than 64 MB. Otherwise like
    /// ``run()``.
    public func output() -> Single<Output> {
        Observable.onThread { thread in
            var (data, errorData) = (Data(), Data())
            try CommandRun(self, thread).run { chunk in
                switch chunk {
                case .output(let bytes): data.append(contentsOf: bytes)
                case .errorOutput(let bytes): errorData.append(contentsOf: bytes)
                case .exited(let status): try thread.emitWhenResumed(Output(status: status, data: data, errorData: errorData))
                }
                guard data.count + errorData.count <= Self.outputLimit else {
                    throw Failure.outputTooLarge(limit: Self.outputLimit)
                }
            }
        }.asSingle()
    }

    /// Like ``output()``, but fails with ``Command/Failure/failed(program:_:errorOutput:)`` unless the program exits with 0.
    public func successfulOutput() -> Single<Output> {
        output().map { output in
            guard output.status.isSuccess else { throw failure(output.status, output.errorData) }
            return output
        }
    }

    /// Bytes are counted, because a `Character` may have any number of them; a character that is cut is left out.
    private func failure(_ status: ExitStatus, _ errors: Data) -> Failure {
        let end = errors.suffix(Self.excerptLimit).drop { $0 & 0b1100_0000 == 0b1000_0000 }
        let excerpt = String(decoding: end, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return .failed(program: program, status, errorOutput: excerpt)
    }
}
