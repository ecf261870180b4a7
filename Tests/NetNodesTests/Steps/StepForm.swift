import Foundation
import StreamsTesting

@testable import NetNodes

/// The answer of a server to one attempt.
enum Answer: Equatable, Sendable {
    case status(Int)
    case lost
    case silent
}

/// One of the three forms of a step, around a function that sends.
typealias StepForm = @Sendable (_ request: HTTPRequest, _ send: @escaping HTTPExchange) -> Observable<HTTPResponse>

/// A step between requests and responses in its three forms, each made for one run.
struct StepRow: CustomStringConvertible, Sendable {
    let description: String
    let node: StepForm
    let middleware: StepForm
    let `operator`: StepForm

    var forms: [(name: String, form: StepForm)] { [("node", node), ("middleware", middleware), ("operator", `operator`)] }

    /// - Parameters:
    ///   - name: the name in the table.
    ///   - step: the step of the middleware.
    ///   - makeNode: returns the node around `next`.
    ///   - apply: applies the operator to requests.
    init(
        _ name: String, _ step: @escaping @Sendable () -> Step<HTTPRequest, HTTPResponse, HTTPRequest, HTTPResponse>,
        node makeNode: @escaping @Sendable (any Node<HTTPRequest, HTTPResponse>) -> any Node<HTTPRequest, HTTPResponse>,
        operator apply: @escaping @Sendable (Observable<HTTPRequest>, @escaping HTTPExchange) -> Observable<HTTPResponse>
    ) {
        description = name
        node = { request, send in makeNode(AnyNode { send($0) }).stream(request) }
        middleware = { request, send in [HTTPMiddleware(step())].around(send)(request) }
        `operator` = { request, send in apply(.just(request), send) }
    }
}

/// What a form of a step did.
struct FormOutcome: Equatable, Sendable {
    var elements: [Int] = []
    var ending = "pending"
    var log: [String] = []
    var sent: [HTTPRequest] = []
    var disposed = 0
}

extension FormOutcome {
    /// Runs a form against a server that gives these answers, the last one from then on.
    ///
    /// - Parameters:
    ///   - failing: whether an unsuccessful status is an error already, as it is outside of the check of the status.
    ///   - act: called when nothing more happens by itself; the subscription is disposed after it.
    static func of(
        _ form: StepForm, _ request: HTTPRequest, _ answers: [Answer], failing: Bool, act: (any Disposable) -> Void = { _ in }
    ) -> FormOutcome {
        let outcome = Lock(FormOutcome())
        let send: HTTPExchange = { request in
            .deferred {
                let count = outcome.withLock { outcome in
                    outcome.sent.append(request)
                    return outcome.sent.count
                }
                switch answers[min(count, answers.count) - 1] {
                case .lost: throw TransportError.connectionLost(url: "https://example.com/teas", reason: "reset")
                case .silent: return .never().do(onDispose: { outcome.withLock { $0.disposed += 1 } })
                case .status(let status):
                    let response = HTTPResponse.text("", status: status, headers: ["ETag": "\"1\""], to: request)
                    if failing, let error = HTTPError(response) { throw error }
                    return .just(response)
                }
            }
        }
        let stream = form(request, send).logged(.from(.debug)) { operation in
            outcome.withLock { $0.log = operation.messages.map { "\($0.node): \($0.text)" } + ["\(operation.ending)"] }
        }
        let subscription = stream.subscribe(
            onNext: { response in outcome.withLock { $0.elements.append(response.status) } },
            onError: { error in outcome.withLock { $0.ending = "\(error)" } },
            onCompleted: { outcome.withLock { $0.ending = "completed" } })
        act(subscription)
        subscription.dispose()
        return outcome.withLock { $0 }
    }
}
