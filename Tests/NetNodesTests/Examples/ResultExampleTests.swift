import Foundation
import LoopbackServer
import NetNodes
import StreamsTesting
import Testing

/// The listings about results, under their section titles; Listings.md says what was changed: pipelines on a transport's responses, from a real server.
///
/// The operators that they write are in the library; as they write them they stand in `HandwrittenOperatorExampleTests`.
@Suite("The listings about results", .onOneThread, .countsResources, .stopsServers, .blocksThread)
struct ResultExampleTests {
    @Suite("1 / Inserting default arguments")
    struct DefaultArguments {
        // swift-format-ignore
        @MainActor class ConfigModelController {
            @Streamed private(set) var config: Config
            private let transport: any Transport

            init(_ transport: any Transport) {
                self.transport = transport
                config = Config(refreshInterval: 0)
            }

            func update() {
                // Here the compiler is able to infer which type that we’re
                // looking to decode our JSON into, based on the property
                // that we’re assigning our pipeline’s output to:
                transport.response(to: .config)
                    .map(\.data)
                    .decode()
                    .replaceError(with: .default)
                    .observe(on: DispatchQueue.main)
                    .assign(to: &$config)
            }
        }

        @Test(arguments: [(#"{"refresh_interval": 5}"#, 5), ("{", 60)]) @MainActor
        func `The type is inferred from the assigned property`(_ config: String, interval: Int) async throws {
            let backend = try Backend(config: config)
            let controller = ConfigModelController(backend)
            controller.update()
            try await waitUntil(controller.$config.asObservable()) { $0.refreshInterval > 0 }
            #expect(controller.config == Config(refreshInterval: interval))
        }

        // swift-format-ignore
        @Test func `The type is specified by an argument`() throws {
            let transport = try Backend()
            let handled = Slot<Outcome<NetworkResponse>>()
            var cancellable: any Disposable

            cancellable = transport
                .response(to: .allItems)
                .map(\.data)
                .decode(as: NetworkResponse.self)
                .subscribe { response in
                    // Handle response
                    handled.fill(.response(response))
                } onError: { error in
                    // Handle completion
                    handled.fill(.error(error))
                }

            #expect(handled.wait()?.response == NetworkResponse(items: [Item(shortName: "a"), Item(shortName: "b")]))
            cancellable.dispose()
        }
    }

    @Suite("2/ Data validation")
    struct DataValidation {
        // swift-format-ignore
        @Test(arguments: [["a"], []])
        func `validate forwards valid elements, and fails with the error that its closure throws`(names: [String]) throws {
            let transport = try Backend(names)
            let handled = Slot<Outcome<NetworkResponse>>()
            var cancellable: any Disposable

            cancellable = transport
                .response(to: .allItems)
                .map(\.data)
                .decode(as: NetworkResponse.self)
                .validate { response in
                guard !response.items.isEmpty else {
                    throw NetworkResponse.Error.missingItems
                }
            }
                .subscribe { response in
                    // Handle response
                    handled.fill(.response(response))
                } onError: { error in
                    // Handle completion
                    handled.fill(.error(error))
                }

            let outcome = handled.wait()
            #expect(outcome?.response?.items.map(\.shortName) == (names.isEmpty ? nil : names))
            #expect(outcome?.error as? NetworkResponse.Error == (names.isEmpty ? .missingItems : nil))
            cancellable.dispose()
        }

        // swift-format-ignore
        @Test(arguments: [["a"], []]) func `unwrap fails with the given error at nil`(names: [String]) throws {
            let transport = try Backend(names)
            let handled = Slot<Outcome<Item>>()
            var cancellable: any Disposable

            cancellable = transport
                .response(to: .recentItems)
                .map(\.data)
                .decode(as: NetworkResponse.self)
                .map(\.items.first)
            .unwrap(orThrow: NetworkResponse.Error.missingItems)
                .subscribe { response in
                    // Handle response
                    handled.fill(.response(response))
                } onError: { error in
                    // Handle completion
                    handled.fill(.error(error))
                }

            let outcome = handled.wait()
            #expect(outcome?.response?.shortName == names.first)
            #expect(outcome?.error as? NetworkResponse.Error == (names.isEmpty ? .missingItems : nil))
            cancellable.dispose()
        }
    }
}

/// Waits for a pipeline on the main loop.
@MainActor
func waitUntil<Element>(_ stream: Observable<Element>, _ isThere: @Sendable (Element) -> Bool) async throws {
    for try await element in stream.values where isThere(element) { break }
}
