import Foundation
import NetNodes

/// `pulse get`: sends one request.
@MainActor
struct GetCommand {
    let options: GetOptions

    /// Sends the request and returns the exit code.
    ///
    /// - Parameter device: the destination of the body in place of standard output; unlike a file, it cannot be written completely or not
    ///   at all.
    /// - Throws: an error that prevents the request from being sent.
    func run(into device: URL? = nil) throws -> Int32 {
        FreedMemory.keep()
        let request = try options.request.prepared(idleTimeout: nil, decodesBody: options.display.layout != .raw)
        let output = try device.map { try Console.redirectOutput(to: $0) }
        defer { if let output { close(output) } }
        Program.stopOnSignals()
        let console = Console()
        let isTerminal = console.isTerminal || options.display.color == .always
        let style = options.printsCommand ? .raw : BodyStyle(options.display, isTerminal: isTerminal)
        let printer = ResponsePrinter(console, style)
        let notes = ExchangeNotes(options.display, of: request, isTerminal: isTerminal)
        let finish = { @MainActor @Sendable (error: (any Error)?) in
            if let output { Console.restoreOutput(to: output) }
            let fault = options.printsCommand ? nil : request.saveSession()
            end(error ?? fault, console, notes)
        }
        let response = response(to: request, printer, notes)
        response.onMain()
            .onCompleted { summary in
                printer.finish(isWhole: true) {
                    for line in summary.metrics.map(notes.lines) ?? [] { Console.printError(styled: line) }
                    finish(summary.error(quotingBody: options.display.hidesFailures))
                }
            }
            .onError { error in printer.finish(isWhole: false) { finish(error) } }
        // Any end of the main loop, such as Ctrl-C, ends the request.
        Disposables.create { response.cancel() }.disposed(by: MainLoop.disposeBag)
        let code = MainLoop.run()
        if code > ExitCode.signal(0), style.palette.isColored { console.endColors() }
        return code
    }

    /// Sends the request, prints its response while it is received, and emits a summary of the response at its end.
    private func response(to request: PreparedRequest, _ printer: ResponsePrinter, _ notes: ExchangeNotes) -> Observer<ResponseSummary> {
        let trace = PublishSubject<CurlTransport.Trace>()
        trace.compactMap { notes.note($0) }.bind(onNext: { printer.take(.note($0)) }).disposed(by: MainLoop.disposeBag)
        let arrivals = PublishSubject<Void>()
        arrivals.debounce(.milliseconds(150), scheduler: MainScheduler.instance)
            .bind(onNext: { printer.take(.silence) })
            .disposed(by: MainLoop.disposeBag)
        let transport = transport(tracing: notes.needTrace ? trace : nil, notes)
        let attempt = notes.following(silenceLimit.limiting(request.transfer(on: notes.noting(transport))))
        let hidesFailures = options.display.hidesFailures
        return printer.suspending(attempts(of: request, printer).repeating(attempt).requiringResponse())
            .reduce(ResponseSummary()) { summary, event in
                let summary = summary.adding(event)
                switch event {
                case .sent, .progress, .end: break
                case .head(let head):
                    printer.take(.text(notes.takeHeads()))
                    printer.take(.head(head))
                case .chunk(let bytes):
                    guard !hidesFailures || !summary.isFailure else { break }
                    printer.take(.bytes(bytes))
                    arrivals.onNext(())
                }
                return summary
            }
            .asContext()
    }

    private func transport(tracing trace: PublishSubject<CurlTransport.Trace>?, _ notes: ExchangeNotes) -> any Transport {
        options.printsCommand
            ? options.request.commandTransport(revealingSecrets: options.display.showsSecrets)
            : options.request.transport(tracing: trace, failures: notes.note(failure:))
    }

    private var silenceLimit: SilenceLimit {
        let timeout = options.request.timeout
        return SilenceLimit(
            duration: timeout ?? RequestOptions.defaultTimeout, exemptsEventStreams: timeout == nil, url: options.request.url)
    }

    private func attempts(of request: PreparedRequest, _ printer: ResponsePrinter) -> TransferAttempts {
        TransferAttempts(
            retries: request.retries, method: request.method, canStartAnew: { !printer.hasBody },
            report: { printer.take(.note("pulse: \($0)")) })
    }

    private func end(_ error: (any Error)?, _ console: Console, _ notes: ExchangeNotes) {
        let code = error.map { ExitCode.of($0, fault: notes.fault, isCurls: options.display.hidesFailures) } ?? ExitCode.success
        if let error {
            let hint = if case TransportError.undecodableBody = error { "; --raw prints it as received" } else { "" }
            Console.printError("pulse: \(ErrorWording.sentence(error))\(hint)")
        }
        console.print(styled: notes.writeOut(code: code, error))
        console.flush { MainLoop.stop(code: code) }
    }
}

/// The facts about a response at its end.
struct ResponseSummary: Sendable {
    private(set) var metrics: HTTPResponse.Metrics?
    private(set) var head: HTTPResponse.Head?
    /// The beginning of the body of a failure.
    private var beginning = Data()

    var isFailure: Bool { (head?.status ?? 0) >= 400 }

    /// Returns the error of a status of 400 or more.
    ///
    /// - Parameter quotingBody: whether the error quotes the beginning of the body, which then is not printed.
    func error(quotingBody: Bool) -> HTTPError? {
        head.flatMap { HTTPError(HTTPResponse(head: $0, body: quotingBody ? beginning : Data())) }
    }

    func adding(_ event: TransferEvent) -> ResponseSummary {
        var summary = self
        switch event {
        case .sent, .progress: break
        case .head(let head): summary.head = head
        case .chunk(let bytes):
            if isFailure, beginning.count < Self.longestQuote { summary.beginning += bytes.prefix(Self.longestQuote) }
        case .end(let metrics): summary.metrics = metrics
        }
        return summary
    }

    private static let longestQuote = 4096
}
