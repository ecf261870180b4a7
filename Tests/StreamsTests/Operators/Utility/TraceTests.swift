import Streams
import StreamsTesting
import Testing

@Suite("trace", .countsResources) struct TraceTests {
    @Test func `The last trace of a chain determines its place, across threads and inner streams`() {
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

    @Test func `An unhandled error is reported with the place of its chain, also for a weakly referenced object and a maybe`() {
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
}
