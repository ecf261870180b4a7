import Foundation
import NetNodes

/// `pulse download`: writes the body of one response into a file.
@MainActor
struct DownloadCommand {
    let options: DownloadOptions

    /// - Throws: `DownloadError` if the file cannot be written, before anything is sent.
    func run() throws -> Int32 {
        let session = try DownloadSession(options)
        defer { session.close() }
        let line = ProgressLine(name: options.target.lastPathComponent, offset: session.count)
        let download = start(session, showingOn: line)
        download.onMain()
            .onCompleted {
                line?.finish(bytes: session.count)
                MainLoop.stop(code: ExitCode.success)
            }
            .onError { error in
                line?.clear()
                report(ErrorWording.sentence(error), session)
                MainLoop.stop(code: ExitCode.of(error))
            }
        // What ends the main loop, Ctrl-C for one, ends the download.
        Disposables.create { download.cancel() }.disposed(by: MainLoop.disposeBag)
        let code = Program.runUntilStopped()
        if code > ExitCode.signal(0) {
            line?.clear()
            report("interrupted", session)
        }
        return code
    }

    /// Sends the request. The body of a successful response is written as it comes; anything else is an error.
    private func start(_ session: DownloadSession, showingOn line: ProgressLine?) -> Observer<Void> {
        let progress = options.request.transfer { $0.timeouts(timeouts).headers(session.headers) }
            .requiringResponse()
            .compactMap { try session.take($0) }
        guard let line else { return progress.reduce(()) { _, _ in }.asContext() }
        let reports = PublishSubject<TransferProgress>()
        reports.throttle(.milliseconds(100), scheduler: MainScheduler.instance)
            .bind(onNext: { line.show($0) })
            .disposed(by: MainLoop.disposeBag)
        return progress.do(onNext: { reports.onNext($0) }).reduce(()) { _, _ in }.asContext()
    }

    /// A large file takes any time, as long as bytes arrive.
    private var timeouts: HTTPRequest.Timeouts {
        HTTPRequest.Timeouts(connect: min(options.request.timeout, .seconds(15)), idle: options.request.timeout)
    }

    /// Prints what ended the download, and whether the same command continues it.
    private func report(_ sentence: String, _ session: DownloadSession) {
        let rest = session.isKept ? "; \(Wording.bytes(session.count)) are kept, the same command continues" : ""
        Console.printError("pulse: \(sentence)\(rest)")
    }
}
