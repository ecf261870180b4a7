import Foundation
import LoopbackServer
import NodeKit
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("Responses without content", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct ResponseOrderTests {
    private static let bodies = ["", "null", " null\n"]

    /// Nodes put together by hand may have the rule about empty bodies before the one about statuses; a chain has it after that.
    private func orders() -> [any Node<HTTPResponse, JSON>] {
        [
            ResponseDataPreprocessorNode(next: ResponseHttpErrorProcessorNode(next: ResponseDataParserNode())),
            ResponseHttpErrorProcessorNode(next: ResponseDataPreprocessorNode(next: ResponseDataParserNode())),
        ]
    }

    private func response(_ status: Int, _ body: String) throws -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: status, url: try "http://h/".url()), body: Data(body.utf8))
    }

    @Test(arguments: [400, 401, 403, 404, 418, 500, 503], bodies)
    func `A failure without a body is an error in both orders`(status: Int, body: String) throws {
        for order in orders() {
            let ended = order.stream(try response(status, body)).ended()
            #expect(ended.elements.isEmpty)
            #expect((ended.error as? HTTPError)?.status == status)
        }
    }

    @Test(arguments: [200, 201, 204, 205, 304], bodies)
    func `A success without a body is empty JSON in both orders`(status: Int, body: String) throws {
        for order in orders() { #expect(order.stream(try response(status, body)).ended().elements == [.empty]) }
        #expect(Observable.just(try response(status, body)).parseJSON().ended().elements == [.empty])
    }

    @Test func `With the rule about empty bodies first a 401 without a body of a real server is an error`() throws {
        let server = try running(.script("GET", "/me", LoopbackServer.Script([.empty(401), .json(["me"])])))
        let chain = URLChain(transport: CurlTransport()).route(.get, "\(server.baseURL)/me").response
        let handwritten = ResponseDataPreprocessorNode(next: ResponseHttpErrorProcessorNode(next: ResponseDataParserNode()))
        let first = chain.stream().flatMap { handwritten.stream($0) }
        #expect((first.ended().error as? HTTPError)?.status == 401)
        #expect(first.ended().elements == [["me"]])
    }
}
