import Foundation
import NetNodes
import StreamsTesting
import Testing

extension ResultExampleTests {
    @Suite("4/ Type-erased constant publishers")
    struct ConstantStreams {
        enum WithLongForms {
            // swift-format-ignore
            class SearchResultsLoader {
                private let transport: any Transport
                private let cache: Cache<String, [Item]>

                init(_ transport: any Transport) {
                    self.transport = transport
                    cache = Cache()
                }

                func searchForItems(
                    matching query: String
                ) -> Observable<[Item]> {
                    guard !query.isEmpty else {
                        return Observable.error(SearchError.emptyQuery)
                    }

                    if let cachedItems = cache.value(forKey: query) {
                        return Observable.just(cachedItems)
                    }

                    return transport
                        .response(to: .search(for: query))
                        .map(\.data)
                        .decode(as: NetworkResponse.self)
                        .mapError(SearchError.requestFailed)
                        .map(\.items)
                        .do(onNext: { [cache] items in
                            cache.insert(items, forKey: query)
                        })
                }
            }
        }

        enum WithShortForms {
            // swift-format-ignore
            class SearchResultsLoader {
                private let transport: any Transport
                private let cache: Cache<String, [Item]>

                init(_ transport: any Transport) {
                    self.transport = transport
                    cache = Cache()
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

                    return transport
                        .response(to: .search(for: query))
                        .map(\.data)
                        .decode(as: NetworkResponse.self)
                        .mapError(as: SearchError.self, SearchError.requestFailed)
                        .map(\.items)
                        .do(onNext: { [cache] items in
                            cache.insert(items, forKey: query)
                        })
                }
            }
        }

        @Test(arguments: [false, true])
        func `A loader fails for an empty query, asks the server once, and then responds from its cache`(short: Bool) throws {
            let backend = try Backend()
            let long = WithLongForms.SearchResultsLoader(backend)
            let brief = WithShortForms.SearchResultsLoader(backend)
            let find = { short ? brief.searchForItems(matching: $0).ended() : long.searchForItems(matching: $0).ended() }
            #expect(find("").error.map { "\($0)" } == "emptyQuery")
            #expect(find("tea").elements.first?.map(\.shortName) == ["tea"])
            backend.stop()
            #expect(find("tea").elements.first?.map(\.shortName) == ["tea"])
            #expect(find("milk").error?.kind == "ResultExampleTests.SearchError.requestFailed")
        }

        @Test(arguments: ["", "tea", "milk"])
        func `A result of one error type is switched over exhaustively, and get() throws that type`(query: String) throws {
            let backend = try Backend()
            if query == "milk" { backend.stop() }
            let loader = WithShortForms.SearchResultsLoader(backend)
            let said = loader.told(about: query).asObservable().ended().elements
            #expect(said == [query.isEmpty ? "Type something." : query == "tea" ? "1 found" : "The service does not answer."])
        }

        @Test func `A typed error is handled where it is known, and other errors are forwarded`() throws {
            let backend = try Backend()
            let loader = WithShortForms.SearchResultsLoader(backend)
            #expect(loader.suggestions(for: "").ended().elements == [[]])
            #expect(loader.suggestions(for: "tea").ended().elements.first?.map(\.shortName) == ["tea"])
            backend.stop()
            #expect(loader.suggestions(for: "milk").ended().error?.kind == "ResultExampleTests.SearchError.requestFailed")
        }
    }
}

// swift-format-ignore
extension ResultExampleTests.ConstantStreams.WithShortForms.SearchResultsLoader {
    typealias Item = ResultExampleTests.Item
    typealias SearchError = ResultExampleTests.SearchError

    func told(about query: String) -> Infallible<String> {
        searchForItems(matching: query)
            .convertToResult(SearchError.requestFailed)
            .map { (result: Result<[Item], SearchError>) in
                do throws(SearchError) {
                    return "\(try result.get().count) found"
                } catch {
                    switch error {
                    case .emptyQuery: return "Type something."
                    case .requestFailed: return "The service does not answer."
                    }
                }
            }
    }

    func suggestions(for query: String) -> Observable<[Item]> {
        searchForItems(matching: query)
            .catch(as: SearchError.self) { error in
                guard case .emptyQuery = error else { throw error }
                return .just([])
            }
    }
}
