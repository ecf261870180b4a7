import StreamsTesting
import Testing

@testable import Streams

/// What a pipeline knows of its errors: that there are none, or that they are of one type.
@Suite("Typed failures", .countsResources)
struct TypedErrorTests {
    private enum SearchError: Error, Equatable {
        case emptyQuery
        case requestFailed(String)
    }

    private func search(_ query: String, _ response: Observable<Int>) -> Observable<Int> {
        guard !query.isEmpty else { return .fail(with: SearchError.emptyQuery) }
        return response
    }

    private let failing = Observable.of(1).concat(Observable.error(TestError.failed))

    @Test func `an error of another type is mapped to this type, and one that has it is forwarded`() {
        let other = search("tea", failing).mapError(as: SearchError.self) { .requestFailed("\($0)") }
        #expect(other.toBlocking().materialize().error as? SearchError == .requestFailed("failed"))
        let same = search("", failing).mapError(as: SearchError.self) { _ in .requestFailed("unexpected") }
        #expect(same.toBlocking().materialize().error as? SearchError == .emptyQuery)
    }

    @Test func `a typed result is switched over case by case, and its get throws that type`() throws {
        let results = search("", failing).convertToResult { SearchError.requestFailed("\($0)") }
        let result = try #require(try results.toBlocking().first())
        switch result {
        case .success: Issue.record("an empty query has no result")
        case .failure(.emptyQuery): break
        case .failure(.requestFailed): Issue.record("an empty query sends no request")
        }
        do throws(SearchError) { _ = try result.get() } catch { #expect(error == .emptyQuery) }
    }

    @Test func `catch(as:) handles errors of its type and forwards others`() {
        let recovered = search("", failing).catch(as: SearchError.self) { $0 == .emptyQuery ? .just(0) : .never() }
        #expect(recovered.toBlocking().materialize().elements == [0])
        let passed = search("tea", failing).catch(as: SearchError.self) { _ in .just(0) }.toBlocking().materialize()
        #expect(passed.elements == [1])
        #expect(passed.error as? TestError == .failed)
    }

    @Test func `a stream that cannot fail stays so through operators`() throws {
        let time = VirtualTimeScheduler()
        let relay = BehaviorRelay(value: [String]())
        let property = Streamed(wrappedValue: "")
        let words: Infallible<String> = failing.convertToLoadingState(startingWithLoading: true)
            .replaceNilValues(with: 0).map { "\($0)" }.distinctUntilChanged().startWith("first").endWith("last")
            .observe(on: time).share(replay: 1)
        let subscription = words.scan([]) { $0 + [$1] }.bind(to: relay)
        words.assign(to: &property.projectedValue)
        time.run()
        #expect(relay.value == ["first", "0", "1", "0", "last"])
        #expect(property.wrappedValue == "last")
        subscription.dispose()
    }
}

extension InfallibleSequence {
    fileprivate func replaceNilValues<Value: Sendable>(with value: Value) -> InfallibleSequence<Kind, Value>
    where Element == LoadingState<Value> {
        map(\.value).replaceNil(with: value)
    }
}
