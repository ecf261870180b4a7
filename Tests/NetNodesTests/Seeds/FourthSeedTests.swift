import Foundation
import LoopbackServer
import NetNodes
import StreamsTesting
import Testing

/// The examples of the fourth seed, under its section titles: pipelines on a transport's responses, from a real server.
@Suite(.countsResources)
struct FourthSeedTests {
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

    /// A server, and what is asked of it.
    final class Backend: Sendable {
        let transport = CurlTransport()
        private let server: LoopbackServer

        init(items: String = #"{"items": [{"short_name": "a"}, {"short_name": "b"}]}"#) throws {
            server = LoopbackServer(routes: [
                .get("/items") { _ in .text(items) },
                .get("/config") { _ in .text(#"{"refresh_interval": 5}"#) },
                .get("/search") { request in .text(#"{"items": [{"short_name": "\#(request.query("query") ?? "")"}]}"#) },
            ])
            try server.start()
        }

        func response(_ path: String) -> Observable<HTTPResponse> {
            .deferred { [transport, server] in
                transport.response(to: HTTPRequest(.get, URL(string: path, relativeTo: server.baseURL)?.absoluteURL ?? server.baseURL))
            }
        }

        func stop() { server.stop() }
    }

    @Suite("1 / Inserting default arguments", .countsResources)
    struct DefaultArguments {
        @MainActor
        final class ConfigModelController {
            @Streamed private(set) var config = Config(refreshInterval: 0)
            private let backend: Backend

            init(_ backend: Backend) {
                self.backend = backend
            }

            func update() {
                backend.response("/config")
                    .map(\.data)
                    .decode()
                    .replaceError(with: .default)
                    .observe(on: DispatchQueue.main)
                    .assign(to: $config)
            }
        }

        @Test("the type is told by the property that is assigned to") @MainActor
        func inferred() async throws {
            let backend = try Backend()
            defer { backend.stop() }
            let controller = ConfigModelController(backend)
            controller.update()
            for try await config in controller.$config.values where config.refreshInterval > 0 {
                #expect(config == Config(refreshInterval: 5))
                break
            }
        }

        @Test("the type is told by an argument")
        func named() throws {
            let backend = try Backend()
            defer { backend.stop() }
            let ended = backend.response("/items").map(\.data).decode(as: NetworkResponse.self).ended()
            #expect(ended.elements == [NetworkResponse(items: [Item(shortName: "a"), Item(shortName: "b")])])
            #expect(ended.error == nil)
        }
    }

    @Suite("2/ Data validation", .countsResources)
    struct DataValidation {
        @Test("validate lets through what is right, and ends the stream with what its closure throws")
        func validate() throws {
            for (items, isRight) in [(#"{"items": [{"short_name": "a"}]}"#, true), (#"{"items": []}"#, false)] {
                let backend = try Backend(items: items)
                defer { backend.stop() }
                let ended = backend.response("/items")
                    .map(\.data)
                    .decode(as: NetworkResponse.self)
                    .validate { response in
                        guard !response.items.isEmpty else {
                            throw NetworkResponse.Error.missingItems
                        }
                    }
                    .ended()
                #expect(ended.elements.count == (isRight ? 1 : 0))
                #expect(ended.error as? NetworkResponse.Error == (isRight ? nil : .missingItems))
            }
        }

        @Test("unwrap ends the stream with the given error where there is nothing")
        func unwrap() throws {
            for (items, first) in [(#"{"items": [{"short_name": "a"}]}"#, "a"), (#"{"items": []}"#, nil)] {
                let backend = try Backend(items: items)
                defer { backend.stop() }
                let ended = backend.response("/items")
                    .map(\.data)
                    .decode(as: NetworkResponse.self)
                    .map(\.items.first)
                    .unwrap(orThrow: NetworkResponse.Error.missingItems)
                    .ended()
                #expect(ended.elements.first?.shortName == first)
                #expect(ended.error as? NetworkResponse.Error == (first == nil ? .missingItems : nil))
            }
        }
    }
}

/// What a pipeline of this seed waits for on the main loop.
@MainActor
func waitUntil<Element>(_ stream: Observable<Element>, _ isThere: @Sendable (Element) -> Bool) async throws {
    for try await element in stream.values where isThere(element) { break }
}
