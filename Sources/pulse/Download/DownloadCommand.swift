import Foundation
import NetNodes
import TerminalViews

/// `pulse download`, and `pulse get` with a file: writes the body of one response into a file.
@MainActor
struct DownloadCommand {
    let options: DownloadOptions

    /// - Throws: `Download.Failure` if the file cannot be written, or another error that prevents the request from being sent.
    func run() throws -> Int32 {
        guard !isDevice else {
            return try GetCommand(options: GetOptions(request: options.request, display: options.display)).run(into: options.target)
        }
        FreedMemory.keep()
        let request = try options.request.prepared(idleTimeout: options.request.timeout ?? RequestOptions.defaultTimeout)
        let session = try DownloadSession(options)
        defer { session.close() }
        Program.stopOnSignals()
        let console = Console()
        let isTerminal = console.isTerminal || options.display.color == .always
        let notes = ExchangeNotes(options.display, of: request, isTerminal: isTerminal)
        let line = makeProgressLine(session)
        let download = start(request, session, notes, console, showingOn: line)
        download.onMain()
            .onCompleted { metrics in
                line?.finish(bytes: session.count, received: session.received)
                for line in metrics.map(notes.lines) ?? [] { Console.printError(styled: line) }
                let fault = request.saveSession()
                if let fault { Console.printError("pulse: \(ErrorWording.sentence(fault))") }
                end(fault.map { ExitCode.of($0) } ?? ExitCode.success, fault, console, notes)
            }
            .onError { error in
                line?.clear()
                report(ErrorWording.sentence(error), session)
                _ = request.saveSession()
                end(ExitCode.of(error, fault: notes.fault, isCurls: options.display.hidesFailures), error, console, notes)
            }
        // Any end of the main loop, such as Ctrl-C, ends the download.
        Disposables.create { download.cancel() }.disposed(by: MainLoop.disposeBag)
        let code = MainLoop.run()
        if code > ExitCode.signal(0) {
            line?.clear()
            report("interrupted", session)
        }
        return code
    }

    /// Whether the target is a device or a named pipe, which takes bytes as they come.
    private var isDevice: Bool {
        var status = stat()
        guard stat(options.target.path, &status) == 0 else { return false }
        return [S_IFCHR, S_IFIFO].contains(status.st_mode & S_IFMT)
    }

    /// Returns no progress line with `--verbose`: its lines and a line that is rewritten do not go together.
    private func makeProgressLine(_ session: DownloadSession) -> ProgressLine? {
        guard !options.display.isSilent, !options.display.isVerbose else { return nil }
        return ProgressLine(name: options.target.lastPathComponent, offset: session.count)
    }

    /// Sends the request. The body of a successful response is written while it is received; any other response is an error.
    private func start(
        _ request: PreparedRequest, _ session: DownloadSession, _ notes: ExchangeNotes, _ console: Console, showingOn line: ProgressLine?
    ) -> Observer<HTTPResponse.Metrics?> {
        let trace = PublishSubject<CurlTransport.Trace>()
        trace.compactMap { notes.note($0) }.bind(onNext: { Console.printError(styled: $0) }).disposed(by: MainLoop.disposeBag)
        let reports = PublishSubject<TransferEvent.Progress>()
        reports.throttle(.milliseconds(100), scheduler: MainScheduler.instance)
            .bind(onNext: { line?.show($0) })
            .disposed(by: MainLoop.disposeBag)
        let transport = options.request.transport(tracing: notes.needTrace ? trace : nil, failures: notes.note(failure:))
        let attempt = notes.following(request.transfer(on: notes.noting(transport), headersFrom: session))
            .written { event in
                if let progress = try session.take(event) { reports.onNext(progress) }
                return event
            }
        let download = attempt.catch { error in
            guard error is ForeignPart else { throw error }
            return attempt
        }
        return attempts(of: request, line).repeating(download)
            .requiringResponse()
            .reduce(HTTPResponse.Metrics?.none) { metrics, event in
                if case .head = event { console.print(styled: notes.takeHeads()) }
                if case .end(let metrics) = event { return metrics }
                return metrics
            }
            .asContext()
    }

    /// Returns the attempts; each continues after the bytes that the last one has received.
    private func attempts(of request: PreparedRequest, _ line: ProgressLine?) -> TransferAttempts {
        let reports = PublishSubject<String>()
        reports.observe(on: MainScheduler.instance)
            .bind(onNext: { sentence in
                line?.clear()
                Console.printError("pulse: \(sentence)")
            })
            .disposed(by: MainLoop.disposeBag)
        return TransferAttempts(retries: request.retries, method: request.method, canStartAnew: { true }, report: { reports.onNext($0) })
    }

    private func end(_ code: Int32, _ error: (any Error)?, _ console: Console, _ notes: ExchangeNotes) {
        console.print(styled: notes.writeOut(code: code, error))
        console.flush { MainLoop.stop(code: code) }
    }

    /// Prints the reason why the download ended, what is kept of it, and whether the same command continues it.
    private func report(_ sentence: String, _ session: DownloadSession) {
        let rest = session.remainder.map { remainder in
            let part = TerminalText.sanitized("\(options.target.lastPathComponent).part")
            let kept = "; \(Wording.bytes(remainder.count)) are kept"
            return remainder.obstacle.map { "\(kept) in \(part), and the same command begins anew: \($0)" }
                ?? "\(kept), the same command continues"
        }
        Console.printError("pulse: \(sentence)\(rest ?? "")")
    }
}
