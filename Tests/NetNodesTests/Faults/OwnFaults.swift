import Foundation
import LoopbackServer

@testable import NetNodes

extension FaultRow {
    /// Faults of this side: nothing is sent.
    static let unsendable: [FaultRow] = [
        FaultRow(
            "a route that is not a URL", "HTTPRequest.RouteFailure.impossibleURL",
            "\"users\" is not a URL with a scheme and a host, such as https://example.com/path."
        ) { _, chain in chain.route(.get, "users").void.stream() },
        FaultRow(
            "a scheme other than http and https", "TransportError.unsupportedScheme",
            "ftp://example.com/a is not supported: only http and https are supported, not ftp."
        ) { _, chain in chain.route(.get, "ftp://bob:SECRET@example.com/a").void.stream() },
        FaultRow(
            "a method that is not a token", "TransportError.invalidMethod", "\"GET /b\" is not a method of HTTP."
        ) { server, chain in chain.route(HTTPRequest.Method(rawValue: "GET /b"), server.baseURL).void.stream() },
        FaultRow(
            "a line break in a header", "TransportError.invalidHeader",
            "The header \"X-A\" cannot be sent: the value contains a line break or a NUL."
        ) { server, chain in chain.headers(["X-A": "SECRET\r\nX-B: 2"]).route(.get, server.baseURL).void.stream() },
        FaultRow(
            "a header name with a space", "TransportError.invalidHeader",
            "The header \"X A\" cannot be sent: the name contains an invalid character."
        ) { server, chain in chain.headers(["X A": "1"]).route(.get, server.baseURL).void.stream() },
        FaultRow(
            "a file that cannot be read", "TransportError.unreadableBody",
            "The file /nowhere/at/all cannot be sent: No such file or directory."
        ) { server, chain in
            let file = HTTPRequest(.put, server.baseURL, body: .file(URL(filePath: "/nowhere/at/all")))
            return chain.inserting(HTTPMiddleware("Replacing") { _, next in next(file) }).route(.put, server.baseURL).void.stream()
        },
        FaultRow(
            "a body whose stream fails", "TransportError.bodyFailed",
            "The body of the request to http://HOST cannot be sent: the disk is gone."
        ) { server, chain in
            chain.input(HTTPRequest.BodyStream.self).route(.put, server.baseURL).void.stream(
                HTTPRequest.BodyStream(.error(BodyStreamTests.Failure())))
        },
        FaultRow(
            "a body whose stream has more bytes than its length", "TransportError.bodyFailed",
            "The body of the request to http://HOST cannot be sent: it has more bytes than were announced."
        ) { server, chain in
            chain.input(HTTPRequest.BodyStream.self).route(.put, server.baseURL).void.stream(
                HTTPRequest.BodyStream(.just(Data("a".utf8)), length: 0))
        },
        FaultRow(
            "certificate authorities that cannot be read", "TransportError.unreadableAuthorities",
            "The certificate authorities in /nowhere/at/all cannot be read: No such file or directory."
        ) { server, _ in
            let chain = URLChain(transport: CurlTransport(trusting: "/nowhere/at/all"))
            return chain.route(.get, "https://127.0.0.1:\(server.port)/").void.stream()
        },
        FaultRow(
            "an array where a query needs names", "HTTPRequest.EncodingFailure.notAnObject",
            "Only an object can be sent as a query or a form."
        ) { server, chain in chain.input(JSON.self).route(.get, server.baseURL).void.stream([1]) },
        FaultRow(
            "a number that JSON cannot represent", "JSON.ModelFailure.unencodable",
            "Array<Double> cannot be encoded at [1]: Unable to encode Double.inf directly in JSON."
        ) { server, chain in chain.input([Double].self).route(.post, server.baseURL).void.stream([1, .infinity]) },
    ]

    /// The ends of a request for which nothing failed on the way.
    static let endings: [FaultRow] = [
        FaultRow("aborted", "Aborter.OperationAborted", "The operation was aborted.") { server, chain in
            let aborter = Aborter()
            aborter.abort()
            return chain.abortable(by: aborter).route(.get, server.baseURL).void.stream()
        },
        FaultRow(
            "a refresh without a token", "TokenRefresherNode.Failure.refreshYieldedNothing",
            "Refreshing the access token ended without a token."
        ) {
            try refused(by: $0, $1, TokenRefresherNode(chain: AnyNode<Void, Int> { .empty() }) { _ in })
        },
        FaultRow(
            "a refresh that takes too long", "TokenRefresherNode.Failure.refreshTimedOut",
            "Refreshing the access token took longer than 50 ms."
        ) {
            try refused(by: $0, $1, TokenRefresherNode(chain: AnyNode<Void, Int> { .never() }, timeout: .milliseconds(50)) { _ in })
        },
        FaultRow(
            "a refresh that waits for itself", "TokenRefresherNode.Failure.refreshWaitsForItself",
            "Refreshing the access token waits for itself: refresh it with an operation that needs no access."
        ) { server, chain in
            let knot = BehaviorRelay<TokenRefresherNode?>(value: nil)
            let refresher = TokenRefresherNode(
                chain: AnyNode<Void, Int> { knot.value.map { Observable.just(1).refreshing(with: $0) } ?? .empty() }
            ) { _ in }
            knot.accept(refresher)
            return try refused(by: server, chain, refresher).do(onDispose: { knot.accept(nil) })
        },
    ]

    private static func refused(
        by server: LoopbackServer, _ chain: Chain, _ refresher: TokenRefresherNode
    ) throws -> Observable<Void> {
        server.add(.get("/a") { _ in .empty(401) })
        return chain.refreshingAccess(with: refresher).route(.get, try server.baseURL + "a").void.stream()
    }
}
