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

    @Test("an error of another type is mapped to this type, and one that has it is forwarded")
    func mapErrorAs() {
        let other = search("tea", failing).mapError(as: SearchError.self) { .requestFailed("\($0)") }
        #expect(other.toBlocking().materialize().error as? SearchError == .requestFailed("failed"))
        let same = search("", failing).mapError(as: SearchError.self) { _ in .requestFailed("unexpected") }
        #expect(same.toBlocking().materialize().error as? SearchError == .emptyQuery)
    }

    @Test("a typed result is switched over case by case, and its get throws that type")
    func typedResult() throws {
        let results = search("", failing).convertToResult { SearchError.requestFailed("\($0)") }
        let result = try #require(try results.toBlocking().first())
        switch result {
        case .success: Issue.record("an empty query has no result")
        case .failure(.emptyQuery): break
        case .failure(.requestFailed): Issue.record("an empty query sends no request")
        }
        do throws(SearchError) { _ = try result.get() } catch { #expect(error == .emptyQuery) }
    }

    @Test("catch(as:) handles errors of its type and forwards others")
    func catchAs() {
        let recovered = search("", failing).catch(as: SearchError.self) { $0 == .emptyQuery ? .just(0) : .never() }
        #expect(recovered.toBlocking().materialize().elements == [0])
        let passed = search("tea", failing).catch(as: SearchError.self) { _ in .just(0) }.toBlocking().materialize()
        #expect(passed.elements == [1])
        #expect(passed.error as? TestError == .failed)
    }

    @Test("a stream that cannot fail stays so through operators")
    func infallible() throws {
        let time = VirtualTimeScheduler()
        let relay = BehaviorRelay(value: [String]())
        let property = Streamed(wrappedValue: "")
        let words: Infallible<String> = failing.convertToLoadingState(startingWithLoading: true)
            .replaceNilValues(with: 0).map { "\($0)" }.distinctUntilChanged().startWith("first").endWith("last")
            .observe(on: time).share(replay: 1)
        let subscription = words.scan([]) { $0 + [$1] }.bind(to: relay)
        words.assign(to: property.projectedValue)
        time.run()
        #expect(relay.value == ["first", "0", "1", "0", "last"])
        #expect(property.wrappedValue == "last")
        subscription.dispose()
    }

    @Test("an infallible stream takes, skips, joins and counts as any stream does")
    func operators() throws {
        let numbers = Infallible.of(1, 2, 3, 4)
        #expect(try numbers.take(while: { $0 < 3 }).merge(with: .just(9)).toArray().toBlocking().first() == [1, 2, 9])
        #expect(try numbers.skip(while: { $0 < 3 }).concatMap { .of($0, $0) }.reduce(0) { $0 + $1 }.toBlocking().first() == 14)
        #expect(try numbers.pairwise().map { $1 - $0 }.toArray().toBlocking().first() == [1, 1, 1])
        #expect(try numbers.filter { $0 > 9 }.ifEmpty(default: 5).toBlocking().toArray() == [5])
        #expect(try numbers.map { $0 > 2 ? $0 : nil }.unwrap().flatMapIterable { [$0, 0] }.toBlocking().toArray() == [3, 0, 4, 0])
        #expect(
            try numbers.map { $0 > 3 ? $0 : nil }.replaceNil(with: 7).mapTo("x").take(until: Infallible<Int>.never()).toBlocking().toArray()
                .count == 4)
        #expect(try numbers.ignoreElements().toBlocking().first() == nil)
    }

    @Test("an infallible stream uses schedulers as any stream does")
    func timing() {
        let time = VirtualTimeScheduler()
        let relay = BehaviorRelay(value: 0)
        let numbers = Infallible.of(1, 2, 3).subscribe(on: time)
        let joined = Infallible.merge(
            numbers.debounce(.seconds(1), scheduler: time), numbers.throttle(.seconds(1), latest: false, scheduler: time),
            numbers.delay(.seconds(5), scheduler: time))
        let subscription = joined.subscribe(onNext: { number in relay.update { $0 += number } })
        time.run()
        #expect(relay.value == 3 + 1 + 6)
        subscription.dispose()
    }
}

extension InfallibleSequence {
    fileprivate func replaceNilValues<Value: Sendable>(with value: Value) -> InfallibleSequence<Kind, Value>
    where Element == LoadingState<Value> {
        map(\.value).replaceNil(with: value)
    }
}
