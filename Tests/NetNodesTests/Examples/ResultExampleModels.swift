import Foundation
import LoopbackServer
import NetNodes

// The models and requests of the listings about results, and a server that answers them.

extension ResultExampleTests {
    struct Item: Codable, Equatable, Sendable {
        let shortName: String
    }

    struct NetworkResponse: Codable, Equatable, Sendable {
        enum Error: Swift.Error {
            case missingItems
        }

        let items: [Item]
    }

    struct Config: Codable, Equatable, Sendable {
        static let `default` = Config(refreshInterval: 60)

        let refreshInterval: Int
    }

    enum SearchError: Error {
        case emptyQuery
        case requestFailed(any Error)
    }

    /// The first event of a subscriber.
    enum Outcome<Response: Sendable>: Sendable {
        case response(Response)
        case error(any Error)

        var response: Response? { if case .response(let response) = self { response } else { nil } }
        var error: (any Error)? { if case .error(let error) = self { error } else { nil } }
    }

    /// The values that were found before.
    final class Cache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
        private let values = Lock<[Key: Value]>([:])

        func value(forKey key: Key) -> Value? {
            values.withLock { $0[key] }
        }

        func insert(_ value: Value, forKey key: Key) {
            values.withLock { $0[key] = value }
        }
    }

    /// A real server, and the way to it: requests of the listings go to its port.
    final class Backend: Transport {
        private let transport = CurlTransport()
        private let server: LoopbackServer

        init(_ names: [String] = ["a", "b"], config: String = #"{"refresh_interval": 5}"#) throws {
            let items = LoopbackServer.Response.json(["items": names.map { ["short_name": $0] }])
            server = try running(
                .get("/items") { _ in items },
                .get("/recent") { _ in items },
                .get("/config") { _ in .text(config) },
                .get("/search") { request in .json(["items": [["short_name": request.query("query") ?? ""]]]) })
        }

        func transfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
            .deferred { [transport, server] in
                let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
                var request = request
                request.url = server.baseURL.appending(path: request.url.path).appending(queryItems: query)
                return transport.transfer(request)
            }
        }

        func stop() { server.stop() }
    }
}

extension HTTPRequest {
    static var config: HTTPRequest { HTTPRequest(.get, URL(filePath: "/config")) }
    static var allItems: HTTPRequest { HTTPRequest(.get, URL(filePath: "/items")) }
    static var recentItems: HTTPRequest { HTTPRequest(.get, URL(filePath: "/recent")) }

    static func search(for query: String) -> HTTPRequest {
        HTTPRequest(.get, URL(filePath: "/search").appending(queryItems: [URLQueryItem(name: "query", value: query)]))
    }
}
