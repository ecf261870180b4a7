import Streams
import StreamsTesting
import Testing

@Suite("Singles", .onOneThread, .countsResources) struct SingleTests {
    @Test func `A single emits its element and completes, and ignores further calls`() {
        let single = Single<Int>.create { single in
            single(.success(1))
            single(.failure(Received.Failure()))
            single(.success(2))
            return Disposables.create()
        }
        #expect(received(single.asObservable()) == ["1", "|"])
    }

    @Test func `A single is filtered, mapped, chained and observed`() {
        #expect(received(Single.just(1).filter { $0 > 1 }.asObservable()) == ["|"])
        #expect(received(Single.just("x").compactMap { Int($0) }.asObservable()) == ["|"])
        #expect(received(Single.just("2").compactMap { Int($0) }.asObservable()) == ["2", "|"])
        let done = Single.just(1).flatMapCompletable { _ in .error(Received.Failure()) }
        #expect(received(done.andThen(Single.just(1)).asObservable()) == ["# Failure()"])
        let seen = Output()
        let watched = Single.just(1).do(
            onSuccess: { value in seen.print("\(value)") }, onDispose: { seen.print("disposed") })
        #expect(received(watched.asObservable()) == ["1", "|"])
        #expect(seen.lines == ["1", "disposed"])
    }

    @Test func `A single reports its result`() {
        let results = BehaviorRelay<[String]>(value: [])
        for single in [Single.just(1), .error(Received.Failure())] {
            single.subscribe { result in
                switch result {
                case .success(let value): results.update { $0.append("success \(value)") }
                case .failure(let error): results.update { $0.append("failure \(error)") }
                }
            }.dispose()
        }
        #expect(results.value == ["success 1", "failure \(Received.Failure())"])
    }

    @Test func `The value of a single is awaited`() async throws {
        let value = try await Single.just(20).map { $0 + 1 }.flatMap { .just($0 * 2) }.value
        #expect(value == 42)
        #expect(try await Maybe<Int>.empty().value == nil)
        #expect(try await Single.zip(.just(1), .just(2)) { $0 + $1 }.value == 3)
        try await Completable.empty().value
        await #expect(throws: Received.Failure.self) { try await Single<Int>.error(Received.Failure()).value }
    }

    @Test func `Cancelling the awaiting task disposes the source`() async {
        let isGone = Tally()
        let isThere = AsyncStream<Void>.makeStream()
        let single = Single<Int>.create { _ in
            isThere.continuation.yield()
            return Disposables.create { isGone.add() }
        }
        let task = Task { try await single.value }
        for await _ in isThere.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(isGone.value == 1)
    }

    @Test func `Singles are concatenated to a stream`() {
        #expect(received(Single.just(1).concat(.just(2))) == ["1", "2", "|"])
        #expect(received(Single.concat(.just(1), .error(Received.Failure()), .just(3))) == ["1", "# Failure()"])
        #expect(received(Maybe.concat([.just(1), .empty(), .just(3)])) == ["1", "3", "|"])
    }
}
