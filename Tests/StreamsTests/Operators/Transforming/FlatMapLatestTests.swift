import Streams
import StreamsTesting
import Testing

@Suite("flatMapLatest", .onOneThread, .countsResources) struct FlatMapLatestTests {
    @Test func `What a previous stream of flatMapLatest emits late is dropped`() {
        let (numbers, received) = (PublishSubject<Int>(), Output())
        let kept = Lock<[AnyObserver<Int>]>([])
        let subscription =
            numbers
            .flatMapLatest { _ in Observable<Int> { downstream, _ in kept.withLock { $0.append(downstream) } } }
            .subscribe(onNext: { received.print("\($0)") })
        for number in 0..<3 {
            numbers.onNext(number)
            for (index, observer) in kept.withLock({ $0 }).enumerated() { observer.onNext(number * 10 + index) }
        }
        #expect(received.lines == ["0", "11", "22"])
        kept.withLock { $0 }.forEach { $0.onCompleted() }
        subscription.dispose()
    }

    @Test(arguments: [false, true]) func `flatMapLatest releases its observer once the outer subject is deallocated and the inner is over`(
        innerIsFirst: Bool
    ) {
        let inner = PublishSubject<Int>()
        var outer: PublishSubject<Int>? = PublishSubject()
        var captured: Tally? = Tally()
        weak let observer = captured
        let subscription = outer?.flatMapLatest { _ in inner }.subscribe(onNext: { [captured] _ in captured?.add() })
        outer?.onNext(0)
        inner.onNext(1)
        #expect(observer?.value == 1)
        captured = nil
        if innerIsFirst { inner.onCompleted() }
        outer = nil
        if !innerIsFirst { inner.onCompleted() }
        #expect(observer == nil)
        subscription?.dispose()
    }

    @Test func `A stream that flatMapLatest switched to goes on once the outer stream is over, and is disposed with the subscription`() {
        let (outer, inner, received) = (PublishSubject<Int>(), PublishSubject<Int>(), Output())
        let subscription = outer.flatMapLatest { _ in inner }.subscribe { event in received.print("\(event)") }
        outer.onNext(0)
        outer.onCompleted()
        inner.onNext(1)
        #expect(received.lines == ["next(1)"])
        subscription.dispose()
        #expect(!inner.hasObservers)
    }
}
