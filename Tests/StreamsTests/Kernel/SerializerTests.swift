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

        var canWait: Bool { serializer.meetings.areBetweenThreads }

        func tryEnter() -> Bool { serializer.tryEnter() }

        func enterSoon() -> Bool { serializer.enterSoon() }

        func note(_ number: Int) {
            serializer.enqueue { [self] in write(number, again: nil) }
        }

        /// As operators enter. `again` is noted from inside.
        func noteSoon(_ number: Int, again: Int? = nil) {
            guard serializer.tryEnter() || serializer.enterSoon() else {
                return serializer.enqueue(mayWait: true) { [self] in write(number, again: again) }
            }
            write(number, again: again)
            serializer.leave()
        }

        /// Lets an input of another thread find this one inside.
        func meet() {
            _ = serializer.tryEnter()
            onThread { [self] in noteSoon(3) }
            serializer.leave()
        }

        /// Is inside and leaves.
        func visit() {
            inside += 1
            if inside > 1 { nested += 1 }
            inside -= 1
            serializer.leave()
        }

        private func write(_ number: Int, again: Int?) {
            inside += 1
            if inside > 1 { nested += 1 }
            if let again { noteSoon(again) }
            log.append(number)
            inside -= 1
        }
    }

    private let place = Place()

    @Test func `Of meetings the re-entrant one counts for good, and a wait in vain until the next meeting`() {
        #expect(!place.canWait)
        place.serializer.meetings.note(isReentrant: false)
        #expect(place.canWait)
        place.serializer.meetings.noteWaitInVain()
        #expect(!place.canWait)
        place.serializer.meetings.note(isReentrant: false)
        #expect(place.canWait)
        place.serializer.meetings.note(isReentrant: true)
        #expect(!place.canWait)
        place.serializer.meetings.noteWaitInVain()
        place.serializer.meetings.note(isReentrant: false)
        #expect(!place.canWait)
    }

    @Test func `An input to an idle serializer runs synchronously`() {
        #expect(place.isIdle)
        place.note(1)
        #expect(place.log == [1])
        #expect(place.isIdle)
    }

    @Test func `Inputs to a busy serializer are queued, and run in order when it is left`() {
        #expect(place.tryEnter())
        #expect(!place.tryEnter() && !place.isIdle)
        for number in 1...3 { place.note(number) }
        #expect(place.log == [])
        place.serializer.leave()
        #expect(place.log == [1, 2, 3])
        #expect(place.isIdle)
    }

    @Test func `Re-entrant inputs neither nest nor overtake queued ones`() {
        _ = place.serializer.tryEnter()
        place.serializer.enqueue { [place] in
            place.note(3)
            place.log.append(1)
        }
        place.note(2)
        place.serializer.leave()
        #expect(place.log == [1, 2, 3])
    }

    @Test func `enter(orEnqueue:) says whether the caller is inside`() {
        let isInside = place.serializer.enter { [place] in place.log.append(1) }
        #expect(isInside && place.log == [])
        let isSecondInside = place.serializer.enter { [place] in place.log.append(2) }
        #expect(!isSecondInside && place.log == [])
        place.serializer.leave()
        #expect(place.log == [2])
    }

    @Test func `Two threads lose nothing, never overlap, and each keeps its order`() {
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

    @Test func `An input that arrives while the serializer is left is not lost`() {
        race(rounds: 10_000, { Place() }, { $0.note(1) }, against: { $0.note(2) }) { place in
            #expect(place.log.sorted() == [1, 2])
            #expect(place.isIdle)
        }
    }

    @Test func `Of threads that enter an idle serializer at once, one is inside`() {
        // So many, as on a machine that is busy the two run at the same time for moments only.
        let visit: @Sendable () -> Void = { [place] in
            for _ in 0..<2_000_000 where place.tryEnter() { place.visit() }
        }
        together(visit, visit)
        #expect(place.inside == 0 && place.nested == 0)
        #expect(place.isIdle)
    }

    @Test func `Threads that wait to enter lose nothing, never overlap, and each keeps its order, also among re-entrant inputs`() {
        let count = 20_000
        let push: @Sendable (Int) -> Void = { [place] first in
            for number in first..<first + count { place.noteSoon(number, again: number == count / 2 ? -1 : nil) }
        }
        together {
            together {
                push(0)
            } _: {
                push(count)
            }
        } _: {
            together {
                push(2 * count)
            } _: {
                push(3 * count)
            }
        }
        #expect(place.isIdle)
        #expect(place.nested == 0)
        for first in stride(from: 0, to: 4 * count, by: count) {
            #expect(place.log.filter { $0 >= first && $0 < first + count } == Array(first..<first + count))
        }
        #expect(place.log.count == 4 * count + 1)
    }

    @Test func `Nobody waits where nothing has met`() {
        #expect(place.tryEnter())
        #expect(!place.enterSoon())
        place.serializer.leave()
        #expect(!place.enterSoon())
        #expect(place.isIdle)
    }

    @Test func `A thread waits once threads have met, and no more when it waited in vain`() {
        place.meet()
        #expect(place.canWait)
        #expect(place.tryEnter())
        onThread { [place] in #expect(!place.enterSoon()) }
        #expect(!place.canWait)
        place.serializer.leave()
        #expect(place.isIdle)
    }

    @Test func `A thread that waits enters when the serializer is left`() {
        place.meet()
        #expect(place.enterSoon())
        #expect(!place.isIdle)
        place.serializer.leave()
        #expect(place.isIdle)
    }

    @Test func `Nobody waits any more where an input was re-entrant`() {
        place.noteSoon(1, again: 2)
        place.meet()
        #expect(!place.canWait)
        #expect(place.log == [1, 2, 3])
    }

    @Test func `Inputs that never wait tell nothing about meetings`() {
        #expect(place.tryEnter())
        onThread { [place] in place.note(1) }
        place.note(2)
        place.serializer.leave()
        #expect(!place.canWait)
        place.meet()
        #expect(place.canWait)
    }

    @Test func `Twenty thousand inputs from inside do not grow the stack`() {
        onThread { [place] in
            @Sendable func next(_ number: Int) {
                place.serializer.enqueue {
                    place.log = [number]
                    if number < 20_000 { next(number + 1) }
                }
            }
            next(1)
        }
        #expect(place.log == [20_000])
    }

    @Test func `The captures of an input are freed once it has run`() {
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
