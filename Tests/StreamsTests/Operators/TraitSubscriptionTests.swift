import Streams
import StreamsTesting
import Testing

@Suite("subscribe(with:) of traits", .countsResources)
struct TraitSubscriptionTests {
    @Test func `a single calls one closure with the object, and then the one for the disposal`() {
        let screen = Output()
        for result in [Single.just(1), .error(TestError("down"))] {
            result.subscribe(
                with: screen, onSuccess: { $0.print("\($1)") }, onFailure: { $0.print("\($1)") }, onDisposed: { $0.print("disposed") }
            ).dispose()
        }
        #expect(screen.lines == ["1", "disposed", "disposed", "down"])
    }

    @Test func `a maybe tells its three outcomes apart`() {
        let screen = Output()
        for result in [Maybe.just(1), .error(TestError("down")), .empty()] {
            result.subscribe(
                with: screen, onSuccess: { $0.print("\($1)") }, onError: { $0.print("\($1)") }, onCompleted: { $0.print("empty") }
            ).dispose()
        }
        #expect(screen.lines == ["1", "down", "empty"])
    }

    @Test func `a completable completes or fails`() {
        let screen = Output()
        for result in [Completable.empty(), .error(TestError("down"))] {
            result.subscribe(with: screen, onCompleted: { $0.print("done") }, onError: { $0.print("\($1)") }).dispose()
        }
        #expect(screen.lines == ["done", "down"])
    }

    @Test func `an infallible stream passes its elements`() {
        let screen = Output()
        Infallible.of(1, 2).subscribe(with: screen, onNext: { $0.print("\($1)") }, onCompleted: { $0.print("done") }).dispose()
        #expect(screen.lines == ["1", "2", "done"])
    }

    @Test func `nothing is called once the object is gone, and the subscription does not keep it`() {
        let answers = PublishSubject<Int>()
        var screen: Output? = Output()
        weak let watched = screen
        let calls = Tally()
        let subscription = answers.asSingle().subscribe(
            with: screen ?? Output(), onSuccess: { _, _ in calls.add() }, onDisposed: { _ in calls.add() })
        screen = nil
        #expect(watched == nil)
        answers.onNext(1)
        answers.onCompleted()
        #expect(calls.value == 0)
        subscription.dispose()
    }

    @Test @MainActor func `a driver and a signal pass their elements, their completion and their disposal`() {
        let taps = PublishSubject<Int>()
        let screen = Output()
        let subscriptions = [
            taps.asDriver(onErrorJustReturn: 0).drive(
                with: screen, onNext: { $0.print("drive \($1)") }, onCompleted: { $0.print("driven") }, onDisposed: { $0.print("disposed") }
            ),
            taps.asSignal(onErrorJustReturn: 0).emit(
                with: screen, onNext: { $0.print("emit \($1)") }, onCompleted: { $0.print("emitted") }, onDisposed: { $0.print("disposed") }
            ),
        ]
        taps.onNext(1)
        taps.onCompleted()
        for subscription in subscriptions { subscription.dispose() }
        #expect(screen.lines.sorted() == ["disposed", "disposed", "drive 1", "driven", "emit 1", "emitted"])
    }

    @Test @MainActor func `a driver calls nothing once the object is gone`() {
        let taps = PublishSubject<Int>()
        var screen: Output? = Output()
        weak let watched = screen
        let calls = Tally()
        let subscription = taps.asDriver(onErrorJustReturn: 0).drive(
            with: screen ?? Output(), onNext: { _, _ in calls.add() }, onCompleted: { _ in calls.add() }, onDisposed: { _ in calls.add() })
        screen = nil
        #expect(watched == nil)
        taps.onNext(1)
        taps.onCompleted()
        subscription.dispose()
        #expect(calls.value == 0)
    }
}

@Suite("Names of RxSwift on traits and streams", .countsResources)
struct TraitNameTests {
    @Test func `a relay is infallible`() {
        let (state, last) = (BehaviorRelay(value: 1), ReplayRelay<Int>(bufferSize: 1))
        last.accept(2)
        #expect(received(state.asInfallible().map { $0 + 1 }.asObservable()) == ["2"])
        #expect(received(last.asInfallible().asObservable()) == ["2"])
        let taps = PublishRelay<Int>()
        let output = Output()
        let subscription = taps.asInfallible().subscribe(onNext: { output.print("\($0)") })
        taps.accept(3)
        subscription.dispose()
        #expect(output.lines == ["3"])
    }

    @Test func `a comparer skips what it takes for equal`() {
        let numbers = Infallible.of(1, 3, 2, 4)
        #expect(received(numbers.distinctUntilChanged(by: { $0 >= $1 }).asObservable()) == ["1", "3", "4", "|"])
        #expect(received(Infallible.of("a", "b", "cd").distinctUntilChanged(\.count).asObservable()) == ["a", "cd", "|"])
    }

    @Test func `inner streams are merged, or switched to`() {
        let (first, second) = (PublishRelay<Int>(), PublishRelay<Int>())
        let outer = PublishRelay<Infallible<Int>>()
        let output = Output()
        let subscriptions = [
            outer.asInfallible().merge().subscribe(onNext: { output.print("merged \($0)") }),
            outer.asInfallible().merge(maxConcurrent: 1).subscribe(onNext: { output.print("first \($0)") }),
            outer.asInfallible().switchLatest().subscribe(onNext: { output.print("latest \($0)") }),
        ]
        outer.accept(first.asInfallible())
        outer.accept(second.asInfallible())
        first.accept(1)
        second.accept(2)
        for subscription in subscriptions { subscription.dispose() }
        #expect(output.lines == ["merged 1", "first 1", "merged 2", "latest 2"])
    }

    @Test func `a stream is combined and zipped with others into flat tuples`() {
        let numbers = Observable.of(1, 2)
        let text = Observable.of("a", "b")
        let flags = Observable.of(true)
        #expect(received(numbers.combineLatest(text).map { "\($0)\($1)" }) == ["2a", "2b", "|"])
        #expect(received(numbers.combineLatest(text, flags).map { "\($0)\($1)\($2)" }) == ["2btrue", "|"])
        #expect(received(numbers.zip(text).map { "\($0)\($1)" }) == ["1a", "2b", "|"])
        #expect(received(numbers.zip(text, flags, numbers).map { "\($0)\($1)\($2)\($3)" }) == ["1atrue1", "|"])
    }
}
