import Foundation
import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `The vocabulary of pipelines` {
    struct Item: Codable, Equatable {
        let shortName: String
    }

    @Test func `data is decoded from snake case, with an inferred type`() {
        let data = Data(#"{"short_name": "a"}"#.utf8)
        let items: Observable<Item> = Observable.just(data).decode()
        #expect(received(items.map(\.shortName)) == ["a", "|"])
        #expect(received(Observable.just(data).decode(as: Item.self).map(\.shortName)) == ["a", "|"])
    }

    @Test func `data that cannot be decoded fails the stream with the decoder's error`() {
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
            return Received.Failure()
        }
        let stream = Observable<Int?>.of(1, nil, 2).unwrap(orThrow: failure())
        #expect(evaluated.value == 0)
        #expect(received(stream) == ["1", "# Failure()"])
        #expect(evaluated.value == 1)
    }

    @Test func `results and loading states never fail`() {
        let failing = Observable.concat(.just(1), .error(Received.Failure()))
        #expect(
            received(failing.convertToResult().asObservable()) == ["success(1)", "failure(\(String(reflecting: Received.Failure())))", "|"])
        #expect(received(failing.convertToLoadingState().map { $0.value ?? -1 }.asObservable()) == ["1", "-1", "|"])
        #expect(
            received(failing.convertToLoadingState(startingWithLoading: true).map(\.isLoading).asObservable()) == [
                "true", "false", "false", "|",
            ])
    }

    @Test func `nil, nothing and errors are replaced`() {
        #expect(received(Observable<Int?>.of(1, nil).replaceNil(with: 0)) == ["1", "0", "|"])
        #expect(received(Observable<Int>.empty().replaceEmpty(with: 5)) == ["5", "|"])
        #expect(received(Observable<Int>.of(1).replaceEmpty(with: 5)) == ["1", "|"])
        #expect(received(Observable<Int>.error(Received.Failure()).replaceError(with: 6).asObservable()) == ["6", "|"])
    }
}
