import Foundation
import NetNodes

/// `pulse get`: sends one request.
@MainActor
struct GetCommand {
    let options: GetOptions

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

    /// Emits the request. Its body is printed as it comes; the outcome says whether it came to its end.
    private func send(printingTo printer: BodyPrinter) -> Observer<Void> {
        body.reduce(()) { _, bytes in printer.take(bytes) }.asContext()
    }

    /// The body of a good answer, as it comes; anything else is an error.
    private var body: Observable<Data> {
        let chain = URLChain.ofPulse
            .route(HTTPMethod(rawValue: options.method), options.url)
            .headers(headers)
            .timeout(options.timeout)
            .maximumBodySize(HTTPRequest.Limits.collectedBodySize)
        guard let body = options.body else { return chain.transfer.stream().bodyChunks() }
        return chain.input(Data.self).transfer.stream(Data(body.utf8)).bodyChunks()
    }

    /// The given headers, with a default `Content-Type` for data.
    private var headers: HTTPHeaders {
        var headers = HTTPHeaders(options.headers.map { HTTPHeaders.Field(name: $0.name, value: $0.value) })
        guard let body = options.body, headers["Content-Type"] == nil else { return headers }
        let isJSON = (try? JSON(parsing: body)) != nil
        headers["Content-Type"] = isJSON ? "application/json" : "application/x-www-form-urlencoded"
        return headers
    }
}
