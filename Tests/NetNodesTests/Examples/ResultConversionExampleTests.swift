import Foundation
import NetNodes
import StreamsTesting
import Testing

extension ResultExampleTests {
    @Suite("3/ Result conversions")
    @MainActor
    struct ResultConversions {
        enum WithResults {
            // swift-format-ignore
            @MainActor class ItemListViewModel {
                @Streamed private(set) var items = [Item]()
                @Streamed private(set) var error: Error?

                private let transport: any Transport
                private var cancellable: (any Disposable)?

                init(_ transport: any Transport) {
                    self.transport = transport
                }

                func load() {
                    cancellable = transport
                        .response(to: .allItems)
                        .map(\.data)
                        .decode(as: NetworkResponse.self)
                        .validate { response in
                            guard !response.items.isEmpty else {
                                throw NetworkResponse.Error.missingItems
                            }
                        }
                        .map(\.items)
                        .convertToResult()
                        .observe(on: DispatchQueue.main)
                        .bind { [weak self] result in
                            switch result {
                            case .success(let items):
                                self?.items = items
                                self?.error = nil
                            case .failure(let error):
                                self?.items = []
                                self?.error = error
                            }
                        }
                }
            }
        }

        enum WithLoadingStates {
            // swift-format-ignore
            class ItemListViewModel: LoadableObject {
                @Streamed private(set) var state = LoadingState<[Item]>.idle
                private let transport: any Transport

                init(_ transport: any Transport) {
                    self.transport = transport
                }

                func load() {
                    guard !state.isLoading else {
                        return
                    }

                    state = .loading

                    transport
                        .response(to: .allItems)
                        .map(\.data)
                        .decode(as: NetworkResponse.self)
                        .validate { response in
                            guard !response.items.isEmpty else {
                                throw NetworkResponse.Error.missingItems
                            }
                        }
                        .map(\.items)
                        .observe(on: DispatchQueue.main)
                        .convertToLoadingState()
                .assign(to: &$state)
                }
            }
        }

        @Test func `A view model uses results`() async throws {
            let backend = try Backend()
            let model = WithResults.ItemListViewModel(backend)
            model.load()
            try await waitUntil(model.$items.asObservable()) { !$0.isEmpty }
            #expect(model.items.map(\.shortName) == ["a", "b"])

            let empty = try Backend([])
            let failing = WithResults.ItemListViewModel(empty)
            failing.load()
            try await waitUntil(failing.$error.asObservable()) { $0 != nil }
            #expect(failing.error as? NetworkResponse.Error == .missingItems)
        }

        @Test func `A loadable object changes from idle to loading to loaded or failed, and loads once at a time`() async throws {
            let backend = try Backend()
            let model = WithLoadingStates.ItemListViewModel(backend)
            #expect(model.state == .idle)
            model.load()
            model.load()
            #expect(model.state.isLoading)
            try await waitUntil(model.$state.asObservable()) { $0.value != nil }
            #expect(model.state.value?.map(\.shortName) == ["a", "b"])

            let empty = try Backend([])
            let failing = WithLoadingStates.ItemListViewModel(empty)
            failing.load()
            try await waitUntil(failing.$state.asObservable()) { $0.error != nil }
            #expect(failing.state.error as? NetworkResponse.Error == .missingItems)
        }
    }
}
