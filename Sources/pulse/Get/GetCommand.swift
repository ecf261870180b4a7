import Foundation
import NetNodes

/// `pulse get`: sends one request.
@MainActor
struct GetCommand {
    let options: RequestOptions

    func run() -> Int32 {
        let printer = BodyPrinter(Console())
        let request = send(printingTo: printer)
        request.onMain()
            .onCompleted { printer.finish(isWhole: true) { MainLoop.stop(code: ExitCode.success) } }
            .onError { error in
                printer.finish(isWhole: false) {
                    Console.printError("pulse: \(ErrorWording.sentence(error))")
                    MainLoop.stop(code: ExitCode.failure)
                }
            }
        // What ends the main loop, Ctrl-C for one, ends the request.
        Disposables.create { request.cancel() }.disposed(by: MainLoop.disposeBag)
        return Program.runUntilStopped()
    }

    /// Sends the request. The body of a successful response is printed as it comes; anything else is an error.
    private func send(printingTo printer: BodyPrinter) -> Observer<Void> {
        options.transfer { $0.timeout(options.timeout).maximumBodySize(HTTPRequest.Limits.collectedBodySize) }
            .bodyChunks()
            .reduce(()) { _, bytes in printer.take(bytes) }
            .asContext()
    }
}
