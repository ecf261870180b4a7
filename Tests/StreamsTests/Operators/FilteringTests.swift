import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `Places in a stream` {
    let drawing = Drawing()

    @Test func `element, first, last and single send one element`() {
        let source = drawing.cold("-1-2-3-|")
        #expect(drawing.draw { source.element(at: 1) } == "---(2 |)")
        #expect(drawing.draw { source.first() } == "-(1 |)")
        #expect(drawing.draw { source.last() } == "-------(3 |)")
        #expect(drawing.draw { source.single() } == "-1-#")
        #expect(source.subscriptions == ["0-3", "0-1", "0-7", "0-3"])
        #expect(heard(Observable.of(1, 2, 3).single { $0 == 2 }) == ["2", "|"])
    }

    @Test func `what is not there is an error`() {
        let empty = Observable<Int>.empty()
        #expect(heard(empty.first()) == ["# noElements"])
        #expect(heard(empty.last()) == ["# noElements"])
        #expect(heard(empty.single()) == ["# noElements"])
        #expect(heard(Observable.of(1).element(at: 1)) == ["# noElement(at: 1)"])
        #expect(heard(Observable.of(1).element(at: -1)) == ["# noElement(at: -1)"])
    }

    @Test func `takeLast and skipLast count from the end`() {
        let source = drawing.cold("-1-2-3-|")
        #expect(drawing.draw { source.takeLast(2) } == "-------(2 3 |)")
        #expect(drawing.draw { source.takeLast(0) } == "-------|")
        #expect(drawing.draw { source.skipLast(2) } == "-----1-|")
        #expect(drawing.draw { source.skipLast(-1) } == "-1-2-3-|")
        #expect(drawing.draw { source.takeLast(for: .seconds(4), scheduler: drawing.scheduler) } == "-------(2 3 |)")
    }

    @Test func `takeLast stops when its subscriber does`() {
        #expect(heard(Observable.of(1, 2, 3).takeLast(3).take(2)) == ["1", "2", "|"])
    }

    @Test func `skip while and until`() {
        let source = drawing.cold("-1-2-3-1|"), gate = drawing.cold("--x---x|")
        #expect(drawing.draw { source.skip(while: { $0 < 3 }) } == "-----3-1|")
        #expect(drawing.draw { source.skip(until: gate) } == "---2-3-1|")
        #expect(gate.subscriptions == ["0-2"])
        #expect(drawing.draw { source.skip(until: Observable<Int>.empty()) } == "--------|")
        #expect(drawing.draw { source.skip(until: drawing.cold("--#")) } == "--#")
        #expect(drawing.draw { source.skip(while: { _ in throw Drawing.Failure() }) } == "-#")
    }

    @Test func `take and skip for a time`() {
        let source = drawing.cold("-1-2-3-|")
        #expect(drawing.draw { source.take(for: .seconds(4), scheduler: drawing.scheduler) } == "-1-2|")
        #expect(drawing.draw { source.skip(for: .seconds(3), scheduler: drawing.scheduler) } == "---2-3-|")
        #expect(source.subscriptions == ["0-4", "0-7"])
    }
}

@Suite(.countsResources) struct `Which elements pass` {
    let drawing = Drawing()

    @Test func `distinct leaves out what came before, within its capacity`() {
        let source = Observable.of(1, 2, 1, 3, 2, 1)
        #expect(heard(source.distinct()) == ["1", "2", "3", "|"])
        #expect(heard(source.distinct(capacity: 1)) == ["1", "2", "1", "3", "2", "1", "|"])
        #expect(heard(source.distinct { $0 % 2 }) == ["1", "2", "|"])
        #expect(heard(source.distinct { (value: Int) -> Int in throw Drawing.Failure() }) == ["# Failure()"])
    }

    @Test func `sample sends the latest element at each tick`() {
        let source = drawing.cold("-1-2-3----|"), ticks = drawing.cold("--x--x---x---x|")
        #expect(drawing.draw { source.sample(ticks) } == "--1--3-------|")
        #expect(drawing.draw { source.sample(.seconds(4), scheduler: drawing.scheduler) } == "----2---3---|")
    }

    @Test func `sample sends the default where there is nothing new, and ends with the source when the sampler is done`() {
        let source = drawing.cold("-1-----|"), ticks = drawing.cold("--x-x|")
        #expect(drawing.draw { source.sample(ticks, defaultValue: 0) } == "--1-00-|")
    }

    @Test func `audit sends the latest element some time after the first`() {
        let source = drawing.cold("-1-2-3---4|")
        #expect(drawing.draw { source.audit(.seconds(3), scheduler: drawing.scheduler) } == "----2---3---(4 |)")
        #expect(drawing.draw { drawing.cold("-1#").audit(.seconds(3), scheduler: drawing.scheduler) } == "--#")
    }

    @Test func `pausable passes elements while its pauser is true`() {
        let source = drawing.cold("-1-2-3-4-|"), pauser = drawing.cold("--1---0|").map { $0 == 1 }
        #expect(drawing.draw { source.pausable(pauser) } == "---2-3---|")
    }

    @Test func `partition gives two streams over one subscription`() {
        let source = drawing.cold("1-2-3|")
        let (even, odd) = source.partition { $0.isMultiple(of: 2) }
        #expect(drawing.draw { .merge(even.map { -$0 }, odd) } == "1-(-2)-3|")
        #expect(source.subscriptions == ["0-5"])
    }
}
