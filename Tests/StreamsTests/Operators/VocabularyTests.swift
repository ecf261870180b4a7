import Foundation
import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `The vocabulary of pipelines` {
    struct Item: Codable, Equatable {
        let shortName: String
    }

    @Test func `data is decoded from snake case, with the type told by the context`() {
        let data = Data(#"{"short_name": "a"}"#.utf8)
        let items: Observable<Item> = Observable.just(data).decode()
        #expect(heard(items.map(\.shortName)) == ["a", "|"])
        #expect(heard(Observable.just(data).decode(as: Item.self).map(\.shortName)) == ["a", "|"])
    }

    @Test func `data that cannot be decoded ends the stream with the decoder's error`() {
        let errors = Lock<[any Error]>([])
        let subscription = Observable.just(Data("x".utf8)).decode(as: Item.self).subscribe(
            onError: { error in errors.withLock { $0.append(error) } })
        subscription.dispose()
        #expect(errors.withLock { $0.first } is DecodingError)
    }

    @Test func `unwrap throws the given error at nil, which is evaluated only then`() {
        let evaluated = Tally()
        @Sendable func failure() -> any Error {
            evaluated.add()
            return Heard.Failure()
        }
        let stream = Observable<Int?>.of(1, nil, 2).unwrap(orThrow: failure())
        #expect(evaluated.value == 0)
        #expect(heard(stream) == ["1", "# Failure()"])
        #expect(evaluated.value == 1)
    }

    @Test func `results and loading states never fail`() {
        let failing = Observable.concat(.just(1), .error(Heard.Failure()))
        #expect(
            heard(failing.convertToResult().asObservable()) == ["success(1)", "failure(\(String(reflecting: Heard.Failure())))", "|"])
        #expect(heard(failing.convertToLoadingState().map { $0.value ?? -1 }.asObservable()) == ["1", "-1", "|"])
        #expect(
            heard(failing.convertToLoadingState(startingWithLoading: true).map(\.isLoading).asObservable()) == [
                "true", "false", "false", "|",
            ])
    }

    @Test func `nil, nothing and errors are replaced`() {
        #expect(heard(Observable<Int?>.of(1, nil).replaceNil(with: 0)) == ["1", "0", "|"])
        #expect(heard(Observable<Int>.empty().replaceEmpty(with: 5)) == ["5", "|"])
        #expect(heard(Observable<Int>.of(1).replaceEmpty(with: 5)) == ["1", "|"])
        #expect(heard(Observable<Int>.error(Heard.Failure()).replaceError(with: 6).asObservable()) == ["6", "|"])
    }
}
