import Foundation
import StreamsTesting

@testable import NetNodes

/// The answer of a server to one attempt.
enum Answer: Equatable, Sendable {
    case status(Int)
    /// A successful response with this body.
    case text(String)
    case lost
    case silent

    /// The response to a request.
    func response(to request: HTTPRequest) throws -> HTTPResponse? {
        switch self {
        case .lost: throw TransportError.connectionLost(url: "https://example.com/teas", reason: "reset")
        case .silent: nil
        case .text(let body): .text(body, headers: ["ETag": "\"1\""], to: request)
        case .status(let status): .text(status == 200 ? #"{"l": "green"}"# : "", status: status, headers: ["ETag": "\"1\""], to: request)
        }
    }
}

/// A step around a function that sends, in one of its forms; what it emits is shown as text.
typealias StepForm = @Sendable (_ request: HTTPRequest, _ send: @escaping HTTPMiddleware.Rest) -> Observable<String>

/// A step in its three forms, each made for one run.
struct StepRow: CustomStringConvertible, Sendable {
    /// The names of the nodes, and in what they are special.
    let description: String
    let forms: [(name: String, form: StepForm)]
}

/// The surroundings of a step: how its input results from the request of a run, and what the rest of its chain sends and returns.
struct StepSurrounding<Input: Sendable, Output: Sendable, NextInput: Sendable, NextOutput: Sendable>: Sendable {
    let input: @Sendable (HTTPRequest) throws -> Input
    let sent: @Sendable (NextInput, HTTPRequest) throws -> HTTPRequest
    let received: @Sendable (HTTPResponse) throws -> NextOutput
    let shown: @Sendable (Output) -> String

    fileprivate func rest(_ request: HTTPRequest, _ send: @escaping HTTPMiddleware.Rest) -> @Sendable (NextInput) -> Observable<NextOutput>
    {
        { input in .deferred { send(try sent(input, request)).map(received) } }
    }
}

extension StepRow {
    /// - Parameters:
    ///   - names: the names of the nodes, first.
    ///   - surrounding: what is around the step.
    ///   - step: the step, as a chain calls it.
    ///   - makeNode: returns the node around `next`.
    ///   - apply: applies the operator to inputs.
    init<Input, Output, NextInput, NextOutput>(
        _ names: String, in surrounding: StepSurrounding<Input, Output, NextInput, NextOutput>,
        _ step: @escaping @Sendable () -> Step<Input, Output, NextInput, NextOutput>,
        node makeNode: @escaping @Sendable (any Node<NextInput, NextOutput>) -> any Node<Input, Output>,
        operator apply:
            @escaping @Sendable (
                Observable<Input>, @escaping @Sendable (NextInput) -> Observable<NextOutput>
            ) -> Observable<Output>
    ) {
        func form(
            _ outputs: @escaping @Sendable (Input, @escaping @Sendable (NextInput) -> Observable<NextOutput>) -> Observable<Output>
        ) -> StepForm {
            { request, send in
                .deferred {
                    outputs(try surrounding.input(request), surrounding.rest(request, send)).map(surrounding.shown)
                }
            }
        }
        description = names
        forms = [
            ("node", form { input, rest in makeNode(AnyNode { rest($0) }).stream(input) }),
            ("middleware", form { input, rest in step().stream(input, rest) }),
            ("operator", form { input, rest in apply(.just(input), rest) }),
        ]
    }

    /// A step between requests and responses, whose second form is really a middleware.
    init(
        _ names: String, _ step: @escaping @Sendable () -> Step<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse>,
        node makeNode: @escaping @Sendable (any Node<HTTPRequest, HTTPResponse>) -> any Node<HTTPRequest, HTTPResponse>,
        operator apply: @escaping @Sendable (Observable<HTTPRequest>, @escaping HTTPMiddleware.Rest) -> Observable<HTTPResponse>
    ) {
        let surrounding = StepSurrounding<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse>(
            input: { $0 }, sent: { request, _ in request }, received: { $0 }, shown: { "\($0.status)" })
        self.init(
            names, in: surrounding, { Step(step().name) { [HTTPMiddleware(step())].around($1)($0) } }, node: makeNode, operator: apply)
    }

    /// A step that makes something of a response.
    init<Output: Sendable>(
        ofResponse names: String, _ step: @escaping @Sendable () -> Step<HTTPResponse, Output, HTTPResponse, HTTPResponse>,
        node: @escaping @Sendable () -> any Node<HTTPResponse, Output>,
        operator apply: @escaping @Sendable (Observable<HTTPResponse>) -> Observable<Output>
    ) {
        let surrounding = StepSurrounding<HTTPRequest, Output, HTTPRequest, HTTPResponse>(
            input: { $0 }, sent: { request, _ in request }, received: { $0 }, shown: { "\($0)" })
        self.init(
            names, in: surrounding,
            { Step(step().name) { request, rest in rest(request).concatMap { step().stream($0) { .just($0) } } } },
            node: { next in AnyNode { request in next.stream(request).concatMap { node().stream($0) } } },
            operator: { requests, rest in apply(requests.concatMap { rest($0) }) })
    }
}
