import StreamsTesting
import Testing

@testable import Streams

@Suite("The serializer", .countsResources)
struct SerializerTests {
    /// A serializer that several closures can reach, and a log that only the serializer protects.
    private final class Place: @unchecked Sendable {
        // Law 2: accessed only by the thread that is inside.
        let serializer = Serializer()
        nonisolated(unsafe) var log: [Int] = []
        nonisolated(unsafe) var inside = 0
        nonisolated(unsafe) var nested = 0

        var isIdle: Bool { serializer.isIdle }

        func tryEnter() -> Bool { serializer.tryEnter() }

        func note(_ number: Int) {
            serializer.enqueue { [self] in
                inside += 1
                if inside > 1 { nested += 1 }
                log.append(number)
                inside -= 1
            }
        }
    }

    private let place = Place()

    @Test("An input to an idle serializer runs synchronously")
    func synchronous() {
        #expect(place.isIdle)
        place.note(1)
        #expect(place.log == [1])
        #expect(place.isIdle)
    }

    @Test("Inputs to a busy serializer are queued, and run in order when it is left")
    func waits() {
        #expect(place.tryEnter())
        #expect(!place.tryEnter() && !place.isIdle)
        for number in 1...3 { place.note(number) }
        #expect(place.log == [])
        place.serializer.leave()
        #expect(place.log == [1, 2, 3])
        #expect(place.isIdle)
    }

    @Test("Re-entrant inputs neither nest nor overtake queued ones")
    func fromInside() {
        _ = place.serializer.tryEnter()
        place.serializer.enqueue { [place] in
            place.note(3)
            place.log.append(1)
        }
        place.note(2)
        place.serializer.leave()
        #expect(place.log == [1, 2, 3])
    }

    @Test("enter(orEnqueue:) says whether the caller is inside")
    func enters() {
        let isInside = place.serializer.enter { [place] in place.log.append(1) }
        #expect(isInside && place.log == [])
        let isSecondInside = place.serializer.enter { [place] in place.log.append(2) }
        #expect(!isSecondInside && place.log == [])
        place.serializer.leave()
        #expect(place.log == [2])
    }

    @Test("Two threads lose nothing, never overlap, and each keeps its order")
    func twoThreads() {
        let count = 50_000
        together { [place] in
            for number in 0..<count { place.note(number) }
        } _: { [place] in
            for number in 0..<count { place.note(count + number) }
        }
        #expect(place.isIdle)
        #expect(place.nested == 0)
        #expect(place.log.filter { $0 < count } == Array(0..<count))
        #expect(place.log.filter { $0 >= count } == Array(count..<2 * count))
    }

    @Test("An input that arrives while the serializer is left is not lost")
    func leavingAgainstEntering() {
        race(rounds: 10_000, { Place() }, { $0.note(1) }, against: { $0.note(2) }) { place in
            #expect(place.log.sorted() == [1, 2])
            #expect(place.isIdle)
        }
    }

    @Test("A million inputs from inside do not grow the stack")
    func recursion() {
        onThread { [place] in
            @Sendable func next(_ number: Int) {
                place.serializer.enqueue {
                    place.log = [number]
                    if number < 1_000_000 { next(number + 1) }
                }
            }
            next(1)
        }
        #expect(place.log == [1_000_000])
    }

    @Test("The captures of an input are freed once it has run")
    func frees() {
        weak var token: Place?
        _ = place.serializer.tryEnter()
        do {
            let held = Place()
            token = held
            place.serializer.enqueue { held.log.append(1) }
        }
        #expect(token != nil)
        place.serializer.leave()
        #expect(token == nil)
    }
}
