import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `Zip, amb and sequenceEqual` {
    let drawing = Drawing()

    @Test func `zip pairs elements in order and completes when no partner can come`() {
        let a = drawing.cold("-1-2----3-|"), b = drawing.cold("---4-5--|")
        #expect(drawing.draw { .zip(a, b) { $0 * 10 + $1 } } == "---(14)-(25)--|")
        #expect(a.subscriptions == ["0-8"])
        #expect(b.subscriptions == ["0-8"])
    }

    @Test func `zip completes as soon as a finished source has nothing that waits`() {
        let a = drawing.cold("1-|"), b = drawing.cold("2----3--|")
        #expect(drawing.draw { .zip(a, b) { $0 * 10 + $1 } } == "(12)-|")
        #expect(b.subscriptions == ["0-2"])
    }

    @Test func `an error ends zip at once, or at the end if delayed`() {
        let a = drawing.cold("12#"), b = drawing.cold("---34-|")
        #expect(drawing.draw { .zip(a, b) { $0 * 10 + $1 } } == "--#")
        #expect(drawing.draw { .zip(a, b, delayErrors: true) { $0 * 10 + $1 } } == "---(13)(24 #)")
    }

    @Test func `a stream that ends combineLatest in place keeps those behind it from being subscribed`() {
        let behind = drawing.cold("-1-|")
        #expect(drawing.draw { .combineLatest(Observable<Int>.empty(), behind) { $0 + $1 } } == "|")
        #expect(behind.subscriptions == [])
    }

    @Test func `zip takes eight streams, and a collection`() {
        let one = Observable.of(1, 2)
        let eight = Observable.zip(one, one, one, one, one, one, one, one) { $0 + $1 + $2 + $3 + $4 + $5 + $6 + $7 }
        #expect(heard(eight) == ["8", "16", "|"])
        #expect(heard(Observable.zip([one, one, one]) { $0.reduce(0, +) }) == ["3", "6", "|"])
        #expect(heard(Observable.zip([Observable<Int>]()) { $0.count }) == ["|"])
    }

    @Test func `a throw in the selector of zip ends it and lets all sources go`() {
        let a = drawing.cold("-1-2-|"), b = drawing.cold("-1-2-|")
        #expect(drawing.draw { Observable<Int>.zip(a, b) { _, _ in throw Drawing.Failure() } } == "-#")
        #expect(a.subscriptions == ["0-1"])
        #expect(b.subscriptions == ["0-1"])
    }

    @Test func `amb hears the first that sends, and lets the others go`() {
        let slow = drawing.cold("---1-2|"), fast = drawing.cold("--3--4|")
        #expect(drawing.draw { slow.amb(fast) } == "--3--4|")
        #expect(slow.subscriptions == ["0-2"])
        #expect(fast.subscriptions == ["0-6"])
    }

    @Test func `amb does not subscribe what stands behind a source that sends in place`() {
        let late = drawing.cold("1|")
        #expect(drawing.draw { .amb([.of(7), late.asObservable()]) } == "(7 |)")
        #expect(late.subscriptions == [])
    }

    @Test func `an ending is the first event too`() {
        #expect(drawing.draw { drawing.cold("-#").amb(drawing.cold("--1|")) } == "-#")
        #expect(heard(Observable<Int>.amb([])) == ["|"])
    }

    @Test func `sequenceEqual answers as soon as it is known`() {
        let a = drawing.cold("-1-2-3-4|"), b = drawing.cold("1--2-9--4|")
        #expect(drawing.draw { a.sequenceEqual(b) } == "-----(false |)")
        #expect(a.subscriptions == ["0-5"])
        #expect(heard(Observable.of(1, 2).sequenceEqual(Observable.of(1, 2))) == ["true", "|"])
        #expect(heard(Observable.of(1, 2).sequenceEqual(Observable.of(1))) == ["false", "|"])
        #expect(heard(Observable<Int>.empty().sequenceEqual(Observable.of(1))) == ["false", "|"])
        #expect(heard(Observable<Int>.empty().sequenceEqual(Observable.empty())) == ["true", "|"])
    }
}
