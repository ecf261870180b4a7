import Foundation
import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `Drivers and signals` {
    @Test @MainActor func `a driver replaces an error and completes`() {
        let values = Lock<[Int]>([])
        let subscription = Observable.concat(.just(1), .error(Received.Failure())).asDriver(onErrorJustReturn: 9)
            .drive(onNext: { value in values.withLock { $0.append(value) } })
        subscription.dispose()
        #expect(values.withLock { $0 } == [1, 9])
    }

    @Test @MainActor func `a driver continues with another after an error`() {
        let driver = Observable<Int>.error(Received.Failure()).asDriver(onErrorDriveWith: .of(4, 5))
        #expect(received(driver.asObservable()) == ["4", "5", "|"])
    }

    @Test @MainActor func `a driver subscribes to its source once and replays the latest element`() {
        let subject = PublishSubject<Int>()
        let subscribed = Tally()
        let driver = subject.do(onSubscribe: { subscribed.add() }).asDriver(onErrorJustReturn: 0)
        let first = driver.drive()
        subject.onNext(7)
        #expect(received(driver.asObservable()) == ["7"])
        #expect(subscribed.value == 1)
        first.dispose()
    }

    @Test @MainActor func `a signal replays nothing`() {
        let relay = PublishRelay<Int>()
        let signal = relay.asSignal()
        let values = BehaviorRelay<Int?>(value: nil)
        let subscription = signal.emit(to: values)
        relay.accept(1)
        #expect(received(signal.asObservable()) == [])
        #expect(values.value == 1)
        subscription.dispose()
    }

    @Test func `a driver delivers on the main loop wherever its source emits`() async {
        let subject = PublishSubject<Int>()
        let driver = subject.asDriver(onErrorJustReturn: 0).map { value in MainScheduler.isOnMainLoop ? value : -1 }
        let bag = DisposeBag()
        await withCheckedContinuation { continuation in
            let subscription = driver.drive(onNext: { value in
                #expect(value == 3)
                continuation.resume()
            })
            DispatchQueue.global(qos: .userInitiated).async { subject.onNext(3) }
            subscription.disposed(by: bag)
        }
    }

    @Test @MainActor func `drivers combine, filter, scan and switch as streams do`() {
        let sum = Driver.combineLatest(.of(1, 2), .just(10)) { $0 + $1 }.scan(0, accumulator: +)
        let chosen = Driver.of(1, 2, 2, 3).distinctUntilChanged().filter { $0 > 1 }.flatMapLatest { .just($0 * 10) }
        #expect(received(sum.asObservable()) == ["12", "|"])
        #expect(received(chosen.asObservable()) == ["20", "30", "|"])
    }

    @Test @MainActor func `drivers are zipped, concatenated, truncated and observed as streams are`() {
        let lines = Output()
        let zipped = Driver.zip(.of(1, 2), .of(10, 20)) { $0 + $1 }.concat(.just(5)).take(3)
            .debug("driver") { line in lines.print(line) }
        #expect(received(zipped.asObservable()) == ["11", "22", "5", "|"])
        #expect(lines.lines.contains { $0.hasSuffix("driver next(22)") })
        #expect(received(Driver.of(1, 2).flatMapFirst { .just($0) }.asObservable()) == ["1", "2", "|"])
    }

    @Test func `an infallible stream is created, transformed and subscribed without an error closure`() {
        let names = Infallible<Int>.create { observer in
            observer(.next(1))
            observer(.completed)
            observer(.next(2))
            return Disposables.create()
        }
        #expect(received(names.map { $0 * 3 }.asObservable()) == ["3", "|"])
        let failing = Observable<Int>.error(Received.Failure())
        #expect(received(failing.asInfallible(onErrorFallbackTo: .of(5)).asObservable()) == ["5", "|"])
    }
}

@Suite(.countsResources) struct `Singles, maybes and completables` {
    @Test func `a single emits its element and completes, and ignores further calls`() {
        let single = Single<Int>.create { single in
            single(.success(1))
            single(.failure(Received.Failure()))
            single(.success(2))
            return Disposables.create()
        }
        #expect(received(single.asObservable()) == ["1", "|"])
    }

    @Test func `a single is filtered, mapped, chained and observed`() {
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

    @Test func `a completable continues with the next stream`() {
        let done = Observable.of(1, 2).asCompletable()
        #expect(received(done.andThen(Single.just(3)).asObservable()) == ["3", "|"])
        #expect(received(Completable.concat(done, .error(Received.Failure())).asObservable()) == ["# Failure()"])
    }

    @Test func `the value of a single is awaited`() async throws {
        let value = try await Single.just(20).map { $0 + 1 }.flatMap { .just($0 * 2) }.value
        #expect(value == 42)
        #expect(try await Maybe<Int>.empty().value == nil)
        #expect(try await Single.zip(.just(1), .just(2)) { $0 + $1 }.value == 3)
        try await Completable.empty().value
        await #expect(throws: Received.Failure.self) { try await Single<Int>.error(Received.Failure()).value }
    }

    @Test func `cancelling the awaiting task disposes the source`() async {
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

    @Test func `a maybe distinguishes its three outcomes`() {
        let log = Output()
        for maybe in [Maybe.just(1), .empty(), .error(Received.Failure())] {
            maybe.subscribe(
                onSuccess: { log.print("success \($0)") }, onError: { log.print("error \($0)") }, onCompleted: { log.print("completed") },
                onDisposed: { log.print("disposed") }
            ).dispose()
        }
        #expect(log.lines == ["success 1", "disposed", "completed", "disposed", "error Failure()", "disposed"])
    }
}

@MainActor
private final class ItemList: LoadableObject {
    @Streamed private(set) var state = LoadingState<[Int]>.idle
    @Streamed var count = 0
    @Streamed var title: String?
    let source: Observable<[Int]>

    init(_ source: Observable<[Int]>) {
        self.source = source
    }

    func load() {
        guard !state.isLoading else { return }
        state = .loading
        source.convertToLoadingState().assign(to: &$state)
    }
}

@MainActor
@Suite(.countsResources) struct `Streamed properties` {
    @Test func `a streamed property emits its current and each new value`() {
        let list = ItemList(.never())
        let values = Lock<[Int]>([])
        let subscription = list.$count.map { $0 * 10 }.subscribe(onNext: { value in values.withLock { $0.append(value) } })
        list.count = 2
        list.count += 1
        subscription.dispose()
        #expect(values.withLock { $0 } == [0, 20, 30])
        #expect(list.count == 3)
    }

    @Test func `a loadable object is loading and then loaded or failed`() {
        let subject = PublishSubject<[Int]>()
        let list = ItemList(subject.asObservable())
        list.load()
        #expect(list.state == .loading)
        subject.onNext([1, 2])
        #expect(list.state.value == [1, 2])
        subject.onError(Received.Failure())
        #expect(list.state.error is Received.Failure)
    }

    @Test func `an assignment through a copy of the projection does not set the property`() {
        let list = ItemList(.never())
        var outside = list.$state
        Infallible.just(.loaded([1])).assign(to: &outside)
        #expect(list.state == .idle)
    }

    @Test func `a property whose setter is visible can be assigned to from outside, an optional one too`() {
        let list = ItemList(.never())
        Infallible.of(1, 2).assign(to: &list.$count)
        Infallible.of("a", "b").assign(to: &list.$title)
        #expect(list.count == 2)
        #expect(list.title == "b")
    }

    @Test func `an assignment is disposed with its property`() {
        let counter = Resources.Counter()
        Resources.$counter.withValue(counter) {
            let isGone = Tally()
            var list: ItemList? = ItemList(Observable.never().do(onDispose: { isGone.add() }))
            list?.load()
            list = nil
            #expect(isGone.value == 1)
        }
        #expect(counter.total == 0, "\(counter.byKind)")
    }
}
