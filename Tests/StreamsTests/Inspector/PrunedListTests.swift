import StreamsTesting
import Testing

@testable import StreamsInspector

@Suite("What the inspector refers to weakly", .countsResources)
struct PrunedListTests {
    /// Numbers that exist until they are said to have ended.
    private final class Numbers: Sendable {
        let ended = Lock<Set<Int>>([])

        func exists(_ number: Int) -> Bool { !ended.withLock { $0.contains(number) } }

        func end(_ numbers: some Sequence<Int>) { ended.withLock { $0.formUnion(numbers) } }
    }

    @Test func `What exists stays and has room, although what has ended once filled the list`() {
        let numbers = Numbers()
        let list = PrunedList<Int>(limit: 100) { numbers.exists($0) }
        for number in 0..<60 { list.add(number) }
        list.prune()
        for number in 60..<100 { list.add(number) }
        numbers.end(60..<100)
        for number in 100..<140 { list.add(number) }
        #expect(list.elements.filter(numbers.exists) == Array(0..<60) + Array(100..<140))
    }

    @Test func `A list that is full of what exists ignores what is added`() {
        let list = PrunedList<Int>(limit: 3) { _ in true }
        for number in 0..<9 { list.add(number) }
        #expect(list.elements == [0, 1, 2])
    }

    @Test func `A reader finds all that exist while others are removed`() {
        let seen = Lock<[[Int]]>([])
        let reader = Lock<PrunedList<Int>?>(nil)
        let list = PrunedList<Int> { number in
            if let list = reader.withLock(\.self) { seen.withLock { $0.append(list.elements) } }
            return number % 2 == 0
        }
        for number in 0..<4 { list.add(number) }
        reader.withLock { $0 = list }
        list.prune()
        reader.withLock { $0 = nil }
        #expect(seen.withLock(\.self) == Array(repeating: [0, 1, 2, 3], count: 4) && list.elements == [0, 2])
    }

    @Test func `What is removed or added while it is looked at is neither there again nor lost`() {
        let action = Lock<(@Sendable () -> Void)?>(nil)
        let list = PrunedList<Int> { number in
            action.withLock { $0.take() }?()
            return number > 0
        }
        for number in 0..<3 { list.add(number) }
        action.withLock { $0 = { list.add(9) } }
        list.prune()
        #expect(list.elements == [1, 2, 9])
        action.withLock { $0 = { list.removeAll() } }
        list.prune()
        #expect(list.elements == [])
    }
}
