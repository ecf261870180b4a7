import Streams
import StreamsTesting
import Testing

@Suite("subscribe(with:)", .onOneThread, .countsResources) struct SubscribeWithTests {
    @Test func `A single calls one closure with the object, and then the one for the disposal`() {
        let screen = Output()
        for result in [Single.just(1), .error(TestError("down"))] {
            result.subscribe(
                with: screen, onSuccess: { $0.print("\($1)") }, onFailure: { $0.print("\($1)") }, onDisposed: { $0.print("disposed") }
            ).dispose()
        }
        #expect(screen.lines == ["1", "disposed", "down", "disposed"])
    }

    @Test func `A maybe tells its three outcomes apart`() {
        let screen = Output()
        for result in [Maybe.just(1), .error(TestError("down")), .empty()] {
            result.subscribe(
                with: screen, onSuccess: { $0.print("\($1)") }, onError: { $0.print("\($1)") }, onCompleted: { $0.print("empty") }
            ).dispose()
        }
        #expect(screen.lines == ["1", "down", "empty"])
    }

    @Test func `A completable completes or fails`() {
        let screen = Output()
        for result in [Completable.empty(), .error(TestError("down"))] {
            result.subscribe(with: screen, onCompleted: { $0.print("done") }, onError: { $0.print("\($1)") }).dispose()
        }
        #expect(screen.lines == ["done", "down"])
    }

    @Test func `An infallible stream passes its elements`() {
        let screen = Output()
        Infallible.of(1, 2).subscribe(with: screen, onNext: { $0.print("\($1)") }, onCompleted: { $0.print("done") }).dispose()
        #expect(screen.lines == ["1", "2", "done"])
    }

    @Test func `Nothing is called once the object is gone, and the subscription does not keep it`() {
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

    @Test @MainActor func `A driver and a signal pass their elements, their completion and their disposal`() {
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

    @Test @MainActor func `A driver calls nothing once the object is gone`() {
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
