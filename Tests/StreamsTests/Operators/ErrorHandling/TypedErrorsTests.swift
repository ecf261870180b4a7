import Streams
import StreamsTesting
import Testing

/// Pipelines whose errors are of one type.
@Suite("Typed errors", .onOneThread, .countsResources) struct TypedErrorsTests {
    private enum SearchError: Error, Equatable {
        case emptyQuery
        case requestFailed(String)
    }

    private func search(_ query: String, _ response: Observable<Int>) -> Observable<Int> {
        guard !query.isEmpty else { return .fail(with: SearchError.emptyQuery) }
        return response
    }

    private let failing = Observable.of(1).concat(Observable.error(TestError.failed))

    @Test func `An error of another type is mapped to this type, and one that has it is forwarded`() {
        let other = search("tea", failing).mapError(as: SearchError.self) { .requestFailed("\($0)") }
        #expect(other.toBlocking().materialize().error as? SearchError == .requestFailed("failed"))
        let same = search("", failing).mapError(as: SearchError.self) { _ in .requestFailed("unexpected") }
        #expect(same.toBlocking().materialize().error as? SearchError == .emptyQuery)
    }

    @Test func `A typed result is switched over case by case, and its get throws that type`() throws {
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

    @Test func `The trigger receives errors of its type, and another ends the stream`() {
        let attempts = Tally()
        let failing = Observable<Int>.deferred {
            throw attempts.add() < 3 ? Received.Failure() : StreamError.noElements
        }
        let seen = Lock<[Received.Failure]>([])
        let retried = failing.retry(
            as: Received.Failure.self,
            when: { errors in
                errors.catchAndComplete().do(onNext: { error in seen.withLock { $0.append(error) } })
            })
        #expect(received(retried) == ["# noElements"])
        #expect(seen.withLock { $0.count } == 2)
        #expect(attempts.value == 3)
    }

    @Test func `It works for a single`() {
        let attempts = Tally()
        let single = Single<Int>.deferred {
            let attempt = attempts.add()
            return attempt < 3 ? .error(Received.Failure()) : .just(attempt)
        }
        #expect(received(single.asObservable().retry(as: Received.Failure.self, when: { $0 })) == ["3", "|"])
    }
}
