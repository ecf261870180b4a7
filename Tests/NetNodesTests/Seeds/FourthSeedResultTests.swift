import Foundation
import NetNodes
import StreamsTesting
import Testing

extension FourthSeedTests {
    @Suite("3/ Result conversions", .countsResources)
    @MainActor
    struct ResultConversions {
        @MainActor
        final class ResultListViewModel {
            @Streamed private(set) var items = [Item]()
            @Streamed private(set) var error: (any Error)?
            private let backend: Backend
            private var cancellable: (any Disposable)?

            init(_ backend: Backend) {
                self.backend = backend
            }

            func load() {
                cancellable = backend.response("/items")
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

        @MainActor
        final class ItemListViewModel: LoadableObject {
            @Streamed private(set) var state = LoadingState<[Item]>.idle
            private let backend: Backend

            init(_ backend: Backend) {
                self.backend = backend
            }

            func load() {
                guard !state.isLoading else {
                    return
                }

                state = .loading

                backend.response("/items")
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
                    .assign(to: $state)
            }
        }

        @Test("a view model takes both from results")
        func results() async throws {
            let backend = try Backend()
            defer { backend.stop() }
            let model = ResultListViewModel(backend)
            model.load()
            try await waitUntil(model.$items.asObservable()) { !$0.isEmpty }
            #expect(model.items.map(\.shortName) == ["a", "b"])

            let empty = try Backend(items: #"{"items": []}"#)
            defer { empty.stop() }
            let failing = ResultListViewModel(empty)
            failing.load()
            try await waitUntil(failing.$error.asObservable()) { $0 != nil }
            #expect(failing.error as? NetworkResponse.Error == .missingItems)
        }

        @Test("a loadable object goes from idle over loading to loaded or failed, and loads once at a time")
        func loadingStates() async throws {
            let backend = try Backend()
            defer { backend.stop() }
            let model = ItemListViewModel(backend)
            #expect(model.state == .idle)
            model.load()
            model.load()
            #expect(model.state.isLoading)
            try await waitUntil(model.$state.asObservable()) { $0.value != nil }
            #expect(model.state.value?.map(\.shortName) == ["a", "b"])

            let empty = try Backend(items: #"{"items": []}"#)
            defer { empty.stop() }
            let failing = ItemListViewModel(empty)
            failing.load()
            try await waitUntil(failing.$state.asObservable()) { $0.error != nil }
            #expect(failing.state.error as? NetworkResponse.Error == .missingItems)
        }
    }

    @Suite("4/ Type-erased constant publishers", .countsResources)
    struct ConstantStreams {
        enum SearchError: Error {
            case emptyQuery
            case requestFailed(any Error)
        }

        /// What was found before.
        final class Cache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
            private let values = Lock<[Key: Value]>([:])

            func value(forKey key: Key) -> Value? {
                values.withLock { $0[key] }
            }

            func insert(_ value: Value, forKey key: Key) {
                values.withLock { $0[key] = value }
            }
        }

        final class SearchResultsLoader: Sendable {
            private let backend: Backend
            private let cache = Cache<String, [Item]>()

            init(_ backend: Backend) {
                self.backend = backend
            }

            func searchForItems(
                matching query: String
            ) -> Observable<[Item]> {
                guard !query.isEmpty else {
                    return .fail(with: SearchError.emptyQuery)
                }

                if let cachedItems = cache.value(forKey: query) {
                    return .just(cachedItems)
                }

                return backend.response("/search?query=\(query)")
                    .map(\.data)
                    .decode(as: NetworkResponse.self)
                    .mapError(SearchError.requestFailed)
                    .map(\.items)
                    .do(onNext: { [cache] items in
                        cache.insert(items, forKey: query)
                    })
            }
        }

        @Test("a loader fails for an empty query, asks the server once, and answers from its cache then")
        func search() throws {
            let backend = try Backend()
            let loader = SearchResultsLoader(backend)
            guard case SearchError.emptyQuery? = loader.searchForItems(matching: "").ended().error else {
                Issue.record("an empty query is an error")
                return
            }
            #expect(loader.searchForItems(matching: "tea").ended().elements.first?.map(\.shortName) == ["tea"])
            backend.stop()
            #expect(loader.searchForItems(matching: "tea").ended().elements.first?.map(\.shortName) == ["tea"])
            guard case SearchError.requestFailed? = loader.searchForItems(matching: "milk").ended().error else {
                Issue.record("a failed request is an error of the search")
                return
            }
        }
    }
}
