import Streams
import StreamsTesting
import Testing

@Suite("Signals", .onOneThread, .countsResources) struct SignalTests {
    private let scheduler = TestScheduler()

    @Test @MainActor func `A signal replays nothing`() {
        let relay = PublishRelay<Int>()
        let signal = relay.asSignal()
        let values = BehaviorRelay<Int?>(value: nil)
        let subscription = signal.emit(to: values)
        relay.accept(1)
        #expect(received(signal.asObservable()) == [])
        #expect(values.value == 1)
        subscription.dispose()
    }

    @Test @MainActor func `Signals are throttled, delayed and timed without waiting`() throws {
        try SharingScheduler.mock(scheduler: scheduler) {
            let source = try scheduler.hot("-12----3|", of: Int.self)
            let signal = source.asSignal(onErrorJustReturn: 0).throttle(.seconds(2)).delay(.seconds(1))
            scheduler.start { signal }.expect("--1-2---3|")
        }
        let own = TestScheduler()
        SharingScheduler.mock(scheduler: own) {
            own.start(disposed: 5) { Driver<Int>.interval(.seconds(2)) }.expect("--0-1")
            own.start(subscribed: 10) { Signal<Int>.timer(.seconds(1)) }.expect("-----------(0|)")
        }
    }

    @Test @MainActor func `A signal takes the latest element of a driver`() throws {
        try SharingScheduler.mock(scheduler: scheduler) {
            let taps = try scheduler.hot("--1-2-3|", of: Int.self).asSignal(onErrorJustReturn: 0)
            let names = try scheduler.hot("-a-b---|", of: String.self).asDriver(onErrorJustReturn: "")
            scheduler.start { taps.withLatestFrom(names) { "\($1)\($0)" } }.expect("--x-y-z|", values: ["x": "a1", "y": "b2", "z": "b3"])
        }
        let own = TestScheduler()
        try SharingScheduler.mock(scheduler: own) {
            let taps = try own.hot("--1-2-3|", of: Int.self).asSignal(onErrorJustReturn: 0)
            let names = try own.hot("-a-b---|", of: String.self).asDriver(onErrorJustReturn: "")
            own.start { taps.withLatestFrom(names) }.expect("--a-b-b|")
        }
    }

    @Test @MainActor func `A signal replaces an error by an element, by another signal, or by one made from the error`() {
        let failing = Observable.concat(.just(1), .error(Received.Failure()))
        #expect(received(failing.asSignal(onErrorJustReturn: 9).asObservable()) == ["1", "9", "|"])
        #expect(received(failing.asSignal(onErrorSignalWith: .of(4, 5)).asObservable()) == ["1", "4", "5", "|"])
        #expect(received(failing.asSignal { error in .just(error is Received.Failure ? 7 : 8) }.asObservable()) == ["1", "7", "|"])
    }
}
