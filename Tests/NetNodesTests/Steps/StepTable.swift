import Foundation
import NodeKit
import StreamsTesting

@testable import NetNodes

/// The table of all steps: a new one joins by one entry.
enum StepTable {
    static let rows: [StepRow] = exchangeRows + requestRows + modelRows + responseRows

    private typealias Tea = StepProgramsTests.Tea
    private typealias TeaDTO = StepProgramsTests.TeaDTO
    private typealias Routed = RoutedRequest<JSON, any URLRouteProvider>

    private static let route: any URLRouteProvider = "https://example.com/teas?a=b"
    private static let raw: JSON = ["label": "oolong"]

    private static func routed(_ encoding: HTTPRequest.Encoding, _ raw: JSON = raw) -> Routed {
        RoutedRequest(metadata: ["X": "2"], raw: raw, route: route, encoding: encoding)
    }

    /// The surroundings of a step that prepares a request: the rest sends what it was given as a request with headers.
    private static func building<Input, NextInput>(
        _ input: Input, _ sent: @escaping @Sendable (NextInput) throws -> HTTPRequest
    ) -> StepSurrounding<Input, HTTPResponse, NextInput, HTTPResponse> {
        StepSurrounding(input: { _ in input }, sent: { next, _ in try sent(next) }, received: { $0 }, shown: { "\($0.status)" })
    }

    @Sendable
    private static func request(_ routed: Routed) throws -> HTTPRequest {
        HTTPRequest(.post, try routed.route.url(), headers: ["X": "\(routed.metadata) \(routed.encoding)"], body: .data(routed.raw.data()))
    }

    private static let requestRows =
        [
            StepRow(
                "MetadataConnectorNode",
                in: building(raw) { model in
                    HTTPRequest(.get, try route.url(), headers: ["X": "\(model.metadata)"], body: .data(model.raw.data()))
                }
            ) {
                .before(.metadata(["X": "2"]))
            } node: {
                MetadataConnectorNode(metadata: ["X": "2"], next: $0)
            } operator: { inputs, rest in
                inputs.metadata(["X": "2"]).flatMap { rest($0) }
            },
            StepRow("RequestRouterNode", in: building(RequestModel(metadata: ["X": "2"], raw: raw), request)) {
                .before(.routing(to: route))
            } node: {
                RequestRouterNode(route: route, next: $0)
            } operator: { inputs, rest in
                inputs.route(route).flatMap { rest($0) }
            },
            StepRow("URLQueryInjectorNode", in: building(routed(.json), request)) {
                .before(.querying(.success(URLQuery(["q": true]))))
            } node: {
                URLQueryInjectorNode(query: URLQuery(["q": true]), next: $0)
            } operator: { inputs, rest in
                inputs.query(URLQuery(["q": true])).flatMap { rest($0) }
            },
            StepRow("RequestEncoderNode", in: building(routed(.automatic), request)) {
                .before(.encoding(.sortedJSON))
            } node: {
                RequestEncoderNode(encoding: .sortedJSON, next: $0)
            } operator: { inputs, rest in
                inputs.encoding(.sortedJSON).flatMap { rest($0) }
            },
        ] + [HTTPRequest.Encoding.automatic, .formURL].map(transformator) + [transformator(.urlQuery, of: [1])]

    private static func transformator(_ encoding: HTTPRequest.Encoding) -> StepRow { transformator(encoding, of: raw) }

    private static func transformator(_ encoding: HTTPRequest.Encoding, of raw: JSON) -> StepRow {
        StepRow("URLRequestTransformatorNode of \(raw) as \(encoding)", in: building(routed(encoding, raw)) { $0 }) {
            .before(.building(.put))
        } node: {
            URLRequestTransformatorNode(method: .put, next: $0)
        } operator: { inputs, rest in
            inputs.httpRequest(.put).flatMap { rest($0) }
        }
    }

    private static let modelRows =
        ["oolong", ""].map { name in
            let surrounding = StepSurrounding<Tea, Tea, TeaDTO, TeaDTO>(
                input: { _ in Tea(name: name) }, sent: { dto, request in HTTPRequest(.put, request.url, headers: ["X": dto.label]) },
                received: { TeaDTO(label: $0.status == 204 ? "coffee" : "\($0.status)") }, shown: { $0.name })
            return StepRow("ModelInputNode of \"\(name)\"", in: surrounding) {
                Step(.toDTO, .fromDTO)
            } node: {
                ModelInputNode<Tea, Tea>(next: $0)
            } operator: { inputs, rest in
                inputs.mapInput().flatMap { rest($0) }.mapOutput(to: Tea.self)
            }
        }
        + ["oolong", "forbidden"].map { label in
            let surrounding = StepSurrounding<TeaDTO, TeaDTO, JSON, JSON>(
                input: { _ in TeaDTO(label: label) },
                sent: { raw, request in HTTPRequest(.put, request.url, body: .data(raw.data())) },
                received: { try JSON.decoded(from: $0) }, shown: { $0.label })
            return StepRow("DTOMapperNode of \(label)", in: surrounding) {
                Step(.toRaw, .fromRaw)
            } node: {
                DTOMapperNode<TeaDTO, TeaDTO>(next: $0)
            } operator: { inputs, rest in
                inputs.mapToRaw().flatMap { rest($0) }.mapFromRaw(to: TeaDTO.self)
            }
        } + [
            StepRow("VoidInputNode", in: building(()) { raw in HTTPRequest(.get, try route.url(), body: .data(raw.data())) }) {
                .before(.noInput)
            } node: {
                VoidInputNode(next: $0)
            } operator: { inputs, rest in
                inputs.voidInput().flatMap { rest($0) }
            },
            StepRow("VoidOutputNode", in: ignoring { $0 }, ignored, node: { VoidOutputNode(next: $0) }, operator: ignore),
            StepRow("VoidOutputNode of data", in: ignoring { $0.body }, ignored, node: { VoidOutputNode(next: $0) }, operator: ignore),
        ]

    private static func ignoring<Ignored>(
        _ received: @escaping @Sendable (HTTPResponse) throws -> Ignored
    ) -> StepSurrounding<HTTPRequest, Void, HTTPRequest, Ignored> {
        StepSurrounding(input: { $0 }, sent: { request, _ in request }, received: received, shown: { "\($0)" })
    }

    @Sendable
    private static func ignored<Ignored>() -> Step<HTTPRequest, Void, HTTPRequest, Ignored> { .after(.noOutput) }

    @Sendable
    private static func ignore<Ignored: Sendable>(
        _ inputs: Observable<HTTPRequest>, _ rest: @escaping @Sendable (HTTPRequest) -> Observable<Ignored>
    ) -> Observable<Void> { inputs.flatMap { rest($0) }.voidOutput() }
}
