import Streams
import StreamsTesting
import Testing

/// Without a closure, streams are combined into tuples.
@Suite("Tuples of several streams", .onOneThread, .countsResources) struct TupleTests {
    @Test func `combineLatest and zip of two to eight, and of arrays`() {
        let one = Observable.of(1)
        let word = Observable.of("a")
        #expect(received(Observable.combineLatest(one, word)) == [#"(1, "a")"#, "|"])
        #expect(received(Observable.zip(one, word, one)) == [#"(1, "a", 1)"#, "|"])
        #expect(received(Observable.combineLatest(one, word, one, one).map { $0.3 }) == ["1", "|"])
        #expect(received(Observable.zip(one, word, one, one, word).map { $0.4 }) == ["a", "|"])
        #expect(received(Observable.combineLatest(one, word, one, one, word, one).map { $0.5 }) == ["1", "|"])
        #expect(received(Observable.zip(one, word, one, one, word, one, word).map { $0.6 }) == ["a", "|"])
        #expect(received(Observable.combineLatest(one, one, one, one, one, one, one, word).map { $0.7 }) == ["a", "|"])
        #expect(received(Observable.zip(one, one, one, one, one, one, one, word).map { $0.7 }) == ["a", "|"])
        #expect(received(Observable.combineLatest([one, one])) == ["[1, 1]", "|"])
        #expect(received(Observable.zip([word, word])) == [#"["a", "a"]"#, "|"])
        let typed: Observable<(Int, String)> = .zip(one, word, delayErrors: true)
        #expect(received(typed) == [#"(1, "a")"#, "|"])
    }

    @Test func `A stream is combined and zipped with others into flat tuples`() {
        let numbers = Observable.of(1, 2)
        let text = Observable.of("a", "b")
        let flags = Observable.of(true)
        #expect(received(numbers.combineLatest(text).map { "\($0)\($1)" }) == ["2a", "2b", "|"])
        #expect(received(numbers.combineLatest(text, flags).map { "\($0)\($1)\($2)" }) == ["2btrue", "|"])
        #expect(received(numbers.zip(text).map { "\($0)\($1)" }) == ["1a", "2b", "|"])
        #expect(received(numbers.zip(text, flags, numbers).map { "\($0)\($1)\($2)\($3)" }) == ["1atrue1", "|"])
    }
}
