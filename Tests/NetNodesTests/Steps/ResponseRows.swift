import Foundation
import NodeKit
import StreamsTesting

@testable import NetNodes

extension StepTable {
    private static let same = AnyNode<HTTPResponse, HTTPResponse> { .just($0) }

    /// The steps that make something of a response, and the sender before them.
    static let responseRows = [
        sender(discardsBodies: false), sender(discardsBodies: true),
        StepRow(ofResponse: "ResponseHttpErrorProcessorNode") {
            .after(.checkingStatus())
        } node: {
            ResponseHttpErrorProcessorNode(next: same)
        } operator: {
            $0.mapHTTPErrors()
        },
        StepRow(ofResponse: "ResponseDataPreprocessorNode ResponseDataParserNode") {
            .after(StepMap<HTTPResponse, JSON>.reading)
        } node: {
            ResponseDataPreprocessorNode()
        } operator: {
            $0.parseJSON()
        },
        StepRow(ofResponse: "ResponseDecoderNode") {
            .after(.decoding(.snakeCaseConverting))
        } node: {
            ResponseDecoderNode<[String: String]>()
        } operator: {
            $0.decodeResponse(as: [String: String].self)
        },
        StepRow(ofResponse: "DataLoadingResponseProcessorNode") {
            .after(StepMap<HTTPResponse, Data>.reading)
        } node: {
            DataLoadingResponseProcessorNode()
        } operator: {
            $0.bodies()
        },
    ]

    private static func sender(discardsBodies: Bool) -> StepRow {
        typealias Check = Step<Result<HTTPResponse, any Error>, HTTPResponse, HTTPResponse, HTTPResponse>
        let form = { (responses: @escaping @Sendable (HTTPRequest, any Transport) -> Observable<HTTPResponse>) -> StepForm in
            { request, send in responses(request, SendingTransport(send: send)).map { "\($0)" } }
        }
        return StepRow(
            description: "RequestSenderNode ResponseProcessorNode\(discardsBodies ? " without bodies" : "")",
            forms: [
                (
                    "node",
                    form { request, transport in
                        let processor = ResponseProcessorNode(next: same)
                        return RequestSenderNode(transport: transport, discardsBodies: discardsBodies, next: processor).stream(request)
                    }
                ),
                (
                    "middleware",
                    form { request, transport in
                        let sending = Step<HTTPRequest, HTTPResponse, Result<HTTPResponse, any Error>, HTTPResponse>
                            .sending(on: transport, discardsBodies: discardsBodies)
                        return sending.stream(request) { Check.before(.checkingTransfer).stream($0) { .just($0) } }
                    }
                ),
                (
                    "operator",
                    form { request, transport in
                        var request = request
                        request.discardsBody = discardsBodies
                        return Observable.just(request).send(on: transport)
                    }
                ),
            ])
    }
}

/// The function of a run that sends, as a transport.
private struct SendingTransport: Transport {
    let send: HTTPMiddleware.Rest

    func transfer(_ request: HTTPRequest) -> Observable<TransferEvent> { .never() }
    func response(to request: HTTPRequest) -> Observable<HTTPResponse> { send(request) }
}
