import Dispatch
import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `Tools of a chain` {
    let drawing = Drawing()

    @Test func `serialize makes a careless source serial and deaf`() {
        let careless = Observable<Int>(start: { downstream, _ in
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for value in 0..<5_000 { downstream.onNext(thread * 5_000 + value) }
            }
            downstream.onCompleted()
            downstream.onNext(-1)
            downstream.onCompleted()
        })
        let state = Lock((inside: 0, overlaps: 0, count: 0, ends: 0))
        careless.serialize().subscribe(
            onNext: { _ in
                state.withLock { $0 = ($0.inside + 1, $0.overlaps + ($0.inside > 0 ? 1 : 0), $0.count + 1, $0.ends) }
                state.withLock { $0.inside -= 1 }
            }, onCompleted: { state.withLock { $0.ends += 1 } }
        ).dispose()
        let end = state.withLock { $0 }
        #expect(end.overlaps == 0)
        #expect(end.count == 20_000)
        #expect(end.ends == 1)
    }

    @Test func `apply is a function in its place`() {
        #expect(heard(Observable.of(1, 2).apply { $0.map { $0 * 2 } }) == ["2", "4", "|"])
    }

    @Test func `debug writes what happens`() {
        let lines = Lock<[String]>([])
        let stream = Observable.of(1, 2).debug("numbers") { line in lines.withLock { $0.append(line) } }
        _ = heard(stream.take(1))
        let texts = lines.withLock { $0 }.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
        #expect(texts == ["numbers subscribed", "numbers next(1)", "numbers disposed"])
    }

    @Test func `a bounded boundary keeps what its overflow says`() {
        let burst = Observable.of(1, 2, 3, 4)
        let scheduler = drawing.scheduler
        #expect(drawing.draw { burst.observe(on: scheduler, overflow: .dropOldest(capacity: 2)) } == "(3 4 |)")
        #expect(drawing.draw { burst.observe(on: scheduler, overflow: .dropNewest(capacity: 2)) } == "(1 2 |)")
        #expect(drawing.draw { burst.observe(on: scheduler, overflow: .fail(capacity: 2)) } == "(1 2 #)")
        #expect(drawing.draw { drawing.cold("-1-2#").observe(on: scheduler, overflow: .fail(capacity: 1)) } == "-1-2#")
    }

    @Test func `withLatestFrom takes several others`() {
        let source = drawing.cold("---1-2|")
        let stream = source.withLatestFrom(drawing.cold("-3"), drawing.cold("--4-5")) { $0 * 100 + $1 * 10 + $2 }
        #expect(drawing.draw { stream } == "---(134)-(235)|")
    }
}

@Suite(.countsResources) struct `Traces and bounds` {
    @Test func `the last trace of a chain is its place, across threads and inner streams`() {
        let places = Lock<[String]>([])
        let source = Observable.just(1).trace(file: "inner", line: 1).flatMap { _ in
            Observable<Int>(start: { downstream, lifetime in
                places.withLock { $0.append("\(lifetime.tracedPlace?.description ?? "none")") }
                downstream.onCompleted()
            })
        }
        _ = heard(source.map { $0 })
        _ = heard(source.trace(file: "outer", line: 2).map { $0 })
        #expect(places.withLock { $0 } == ["inner:1", "outer:2"])
    }

    @Test func `debug says where a failing chain was traced`() {
        let lines = Lock<[String]>([])
        _ = heard(
            Observable<Int>.error(Drawing.Failure()).debug("x") { line in lines.withLock { $0.append(line) } }.trace(file: "here", line: 3))
        #expect(lines.withLock { $0 }.contains { $0.hasSuffix("x error(Failure()), traced at here:3") })
    }

    @Test func `an error that nobody handles is reported with the place of its chain, also from a weakly held object and a maybe`() {
        struct Unhandled: Error {}
        final class Listener: Sendable {}
        let places = Lock<[String]>([])
        let before = Hooks.unhandledError
        Hooks.unhandledError = { error, place in
            guard error is Unhandled else { return before(error, place) }
            places.withLock { $0.append("\(place?.description ?? "nowhere")") }
        }
        defer { Hooks.unhandledError = before }
        let failing = Observable<Int>.error(Unhandled())
        let listener = Listener()
        failing.trace(file: "here", line: 1).subscribe().dispose()
        failing.trace("named", file: "here", line: 2).subscribe(with: listener, onNext: { _, _ in }).dispose()
        failing.trace(file: "here", line: 3).asMaybe().subscribe(onSuccess: { _ in }).dispose()
        failing.subscribe().dispose()
        #expect(places.withLock { $0 } == ["here:1", "named (here:2)", "here:3", "nowhere"])
    }

    @Test(arguments: [
        (BufferingPolicy.unbounded, ["1", "2", "3", "4", "|"]),
        (.latest, ["1", "4", "|"]),
        (.dropNewest(capacity: 2), ["1", "2", "3", "|"]),
        (.fail(capacity: 2), ["1", "2", "3", "# overflow(capacity: 2)"]),
    ])
    func `what is sent from inside a delivery waits as the policy of create says`(policy: BufferingPolicy, expected: [String]) {
        let observers = Lock<AnyObserver<Int>?>(nil)
        let texts = heard(
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
