import Streams
import StreamsTesting
import Testing

@Suite(.countsResources) struct `Answers about a whole stream` {
    let drawing = Drawing()

    @Test func `collections come at the end`() {
        let source = Observable.of(3, 1, 2, 1)
        #expect(heard(source.toSet().map { $0.sorted() }) == ["[1, 2, 3]", "|"])
        #expect(heard(source.sorted()) == ["[1, 1, 2, 3]", "|"])
        #expect(heard(source.sorted(by: >)) == ["[3, 2, 1, 1]", "|"])
        #expect(heard(source.toDictionary { $0 % 2 }.map { $0[1] ?? 0 }) == ["1", "|"])
        #expect(heard(source.toDictionary(keySelector: { $0 }, valueSelector: { $0 * 10 }).map { $0[3] ?? 0 }) == ["30", "|"])
    }

    @Test func `numbers come at the end`() {
        let source = Observable.of(3, 1, 2)
        #expect(heard(source.count()) == ["3", "|"])
        #expect(heard(source.min()) == ["1", "|"])
        #expect(heard(source.max()) == ["3", "|"])
        #expect(heard(source.max { $0 > $1 }) == ["1", "|"])
        #expect(heard(source.sum()) == ["6", "|"])
        #expect(heard(source.average()) == ["2.0", "|"])
        #expect(heard(Observable.of(1.0, 2.0).average()) == ["1.5", "|"])
    }

    @Test func `nothing has no smallest, largest or mean`() {
        let empty = Observable<Int>.empty()
        #expect(heard(empty.min()) == ["|"])
        #expect(heard(empty.max()) == ["|"])
        #expect(heard(empty.average()) == ["|"])
        #expect(heard(empty.sum()) == ["0", "|"])
    }

    @Test func `questions are answered as soon as that is possible`() {
        let source = drawing.cold("-1-2-3-|")
        #expect(drawing.draw { source.all { $0 < 2 } } == "---(false |)")
        #expect(drawing.draw { source.any { $0 == 2 } } == "---(true |)")
        #expect(drawing.draw { source.contains(1) } == "-(true |)")
        #expect(drawing.draw { source.isEmpty() } == "-(false |)")
        #expect(source.subscriptions == ["0-3", "0-3", "0-1", "0-1"])
        #expect(drawing.draw { source.all { $0 < 9 } } == "-------(true |)")
        #expect(drawing.draw { source.contains(9) } == "-------(false |)")
        #expect(heard(Observable<Int>.empty().isEmpty()) == ["true", "|"])
    }
}
