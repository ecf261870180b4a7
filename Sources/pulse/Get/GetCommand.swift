import Foundation
import NetNodes
import TerminalViews

/// `pulse get`: one request through the node chain.
@MainActor
struct GetCommand {
    let options: GetOptions

    func run() -> Int32 {
        let console = Console()
        response
            .subscribeOnMain(
                onNext: { body in
                    show(body, on: console)
                    console.flush { MainLoop.stop(code: ExitCode.success) }
                },
                onError: { error in
                    Console.printError("pulse: \(ErrorWording.sentence(error))")
                    MainLoop.stop(code: ExitCode.failure)
                }
            )
            .disposed(by: MainLoop.disposeBag)
        return Program.runUntilStopped()
    }

    /// The body of a good answer; anything else is an error.
    private var response: Observable<Data> {
        let chain = URLChain()
            .route(HTTPMethod(rawValue: options.method), options.url)
            .headers(headers)
            .timeout(options.timeout)
        guard let body = options.body else { return chain.data.stream() }
        return chain.input(Data.self).data.stream(Data(body.utf8))
    }

    /// The given ones, and what kind of data is sent where they do not say it.
    private var headers: HTTPHeaders {
        var headers = HTTPHeaders(options.headers.map { HTTPHeaders.Field(name: $0.name, value: $0.value) })
        guard let body = options.body, headers["Content-Type"] == nil else { return headers }
        let isJSON = (try? JSON(parsing: body)) != nil
        headers["Content-Type"] = isJSON ? "application/json" : "application/x-www-form-urlencoded"
        return headers
    }

    /// JSON laid out for reading, text as it is, bytes that are no text only where no terminal reads them.
    private func show(_ body: Data, on console: Console) {
        if let json = try? JSON(parsing: body) {
            console.print(json.text(.pretty) + "\n")
        } else if !console.isTerminal {
            console.print(body)
        } else if let text = String(validating: body, as: UTF8.self) {
            console.print(text.hasSuffix("\n") || text.isEmpty ? text : text + "\n")
        } else {
            console.print("\(body.count) bytes that are no text. They can go to a file: pulse get URL > FILE\n")
        }
    }
}
