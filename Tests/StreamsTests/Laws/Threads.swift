import Foundation
import StreamsTesting
import Synchronization

/// How often each use of an operator races with itself: more often if one operator is tested than for the whole table.
let roundsOfEachUse = ProcessInfo.processInfo.environment["STREAMS_OPERATOR"] == nil ? 100 : 2_500

/// So many rounds of a race, or a tenth of them under ThreadSanitizer: it reports what is not ordered, also where it did not happen at once.
func rounds(_ count: Int) -> Int {
    #if THREAD_SANITIZER
        count / 10
    #else
        count
    #endif
}

/// Runs `body` on a thread of its own, by default with the small stack of a secondary thread, and waits for it.
func onThread(stackSize: Int = 512 << 10, _ body: @escaping @Sendable () -> Void) {
    let done = startThread(stackSize: stackSize, body)
    done.wait()
}

/// Runs both at the same time, each on a thread of its own, and waits for them.
func together(_ first: @escaping @Sendable () -> Void, _ second: @escaping @Sendable () -> Void) {
    let done = [startThread(first), startThread(second)]
    for semaphore in done { semaphore.wait() }
}

private func startThread(stackSize: Int = 512 << 10, _ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    let bound = Resources.bindingCounter(body)
    let thread = Thread {
        bound()
        done.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    return done
}

/// Lets two actions race, round after round, each round with something new, and checks it after both.
func race<Round: Sendable>(
    rounds: Int, _ prepare: () -> Round, _ first: @escaping @Sendable (Round) -> Void,
    against second: @escaping @Sendable (Round) -> Void, check: (Round) -> Void
) {
    let track = Track<Round>()
    let rounds = StreamsTests.rounds(rounds)
    let done = startThread {
        for number in 1...rounds {
            track.wait { track.started.load(ordering: .acquiring) >= number }
            if let round = track.round.withLock({ $0.take() }) { second(round) }
            track.finished.store(number, ordering: .releasing)
            track.wake()
        }
    }
    for number in 1...rounds {
        let round = prepare()
        track.round.withLock { $0 = round }
        track.started.store(number, ordering: .releasing)
        track.wake()
        // Lets the two meet at another point in each round.
        for _ in 0..<(number * 7) % 64 { _ = track.finished.load(ordering: .relaxed) }
        first(round)
        track.wait { track.finished.load(ordering: .acquiring) >= number }
        check(round)
    }
    done.wait()
}

/// Where the two threads of a race meet.
private final class Track<Round: Sendable>: Sendable {
    let started = Atomic<Int>(0)
    let finished = Atomic<Int>(0)
    let round = Lock<Round?>(nil)

    private let waiting = NSCondition()

    /// Spins, so that the two stay close to each other; blocks where the machine is busy with others, whose time a yield would wait for.
    func wait(until condition: () -> Bool) {
        for _ in 0..<200 where condition() { return }
        let end = ContinuousClock.now + .milliseconds(1)
        while ContinuousClock.now < end {
            if condition() { return }
            sched_yield()
        }
        waiting.lock()
        while !condition() { waiting.wait() }
        waiting.unlock()
    }

    /// Tells the other that its condition may be met.
    func wake() {
        waiting.lock()
        waiting.broadcast()
        waiting.unlock()
    }
}
