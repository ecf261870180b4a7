import Dispatch
import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `Tools of a chain` {
    @Test func `do performs side effects around the events`() {
        let log = Output()
        @Sendable func note(_ text: String) -> @Sendable () -> Void {
            { log.print(text) }
        }
        let subscription = Observable.of(1).do(
            onNext: { _ in note("onNext")() }, afterNext: { _ in note("afterNext")() }, onCompleted: note("onCompleted"),
            afterCompleted: note("afterCompleted"), onSubscribe: note("onSubscribe"), onSubscribed: note("onSubscribed"),
            onDispose: note("onDispose")
        ).subscribe(onNext: { _ in note("next")() }, onCompleted: note("completed"), onDisposed: note("disposed"))
        #expect(
            log.lines == [
                "onSubscribe", "onNext", "next", "afterNext", "onCompleted", "disposed", "completed", "afterCompleted", "onSubscribed",
                "onDispose",
            ])
        subscription.dispose()
    }

    @Test func `observe(on:) dispatches a burst once`() {
        let (queue, observer) = (ManualScheduler(), TestObserver<Int>())
        let subscription = Observable.range(start: 0, count: 1_000).observe(on: queue).subscribe(observer)
        #expect(queue.step() && observer.isCompleted)
        #expect(!queue.step())
        subscription.dispose()
    }

    @Test func `observe(on:) delivers synchronously on its own scheduler`() {
        #expect(received(Observable.of(1, 2).observe(on: ImmediateScheduler.instance)) == ["1", "2", "|"])
    }

    @Test func `debug prints the events`() {
        let lines = Output()
        let stream = Observable.of(1, 2).debug("numbers") { line in lines.print(line) }
        _ = received(stream.take(1))
        let texts = lines.lines.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
        #expect(texts == ["numbers subscribed", "numbers next(1)", "numbers disposed"])
    }
}

@Suite(.countsResources) struct `Traces and bounds` {
    @Test func `the last trace of a chain determines its place, across threads and inner streams`() {
        let places = Output()
        let source = Observable.just(1).trace(file: "inner", line: 1).flatMap { _ in
            Observable<Int>(start: { downstream, lifetime in
                places.print("\(lifetime.tracedPlace?.description ?? "none")")
                downstream.onCompleted()
            })
        }
        _ = received(source.map { $0 })
        _ = received(source.trace(file: "outer", line: 2).map { $0 })
        #expect(places.lines == ["inner:1", "outer:2"])
    }

    @Test func `debug prints where a failing chain was traced`() {
        let lines = Output()
        _ = received(
            Observable<Int>.error(Received.Failure()).debug("x") { line in lines.print(line) }.trace(file: "here", line: 3)
        )
        #expect(lines.lines.contains { $0.hasSuffix("x error(Failure()), traced at here:3") })
    }

    @Test func `an unhandled error is reported with the place of its chain, also for a weakly referenced object and a maybe`() {
        struct Unhandled: Error {}
        final class Listener: Sendable {}
        let places = Output()
        let before = Hooks.unhandledError
        Hooks.unhandledError = { error, place in
            guard error is Unhandled else { return before(error, place) }
            places.print("\(place?.description ?? "nowhere")")
        }
        defer { Hooks.unhandledError = before }
        let failing = Observable<Int>.error(Unhandled())
        let listener = Listener()
        failing.trace(file: "here", line: 1).subscribe().dispose()
        failing.trace("named", file: "here", line: 2).subscribe(with: listener, onNext: { _, _ in }).dispose()
        failing.trace(file: "here", line: 3).asMaybe().subscribe(onSuccess: { _ in }).dispose()
        failing.subscribe().dispose()
        #expect(places.lines == ["here:1", "named (here:2)", "here:3", "nowhere"])
    }

    @Test(arguments: [
        (BufferingPolicy.unbounded, ["1", "2", "3", "4", "|"]),
        (.latest, ["1", "4", "|"]),
        (.dropNewest(capacity: 2), ["1", "2", "3", "|"]),
        (.fail(capacity: 2), ["1", "2", "3", "# overflow(capacity: 2)"]),
    ])
    func `re-entrant elements are buffered as the policy of create defines`(policy: BufferingPolicy, expected: [String]) {
        let observers = Lock<AnyObserver<Int>?>(nil)
        let texts = received(
            Observable<Int>.create(overflow: policy) { observer in
                observers.withLock { $0 = observer }
                observer.onNext(1)
                return Disposables.create()
            }
            .do(onNext: { value in
                guard value == 1, let observer = observers.withLock({ $0 }) else { return }
                for value in 2...4 { observer.onNext(value) }
                observer.onCompleted()
            }))
        #expect(texts == expected)
    }
}
