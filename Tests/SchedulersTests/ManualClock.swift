import Schedulers

/// A clock whose time changes only when a test advances it.
final class ManualClock: Clock {
    typealias Duration = Swift.Duration

    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    fileprivate struct Sleeper {
        let number: Int
        let deadline: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var time: Duration
        var sleepers: [Sleeper] = []
        var nextNumber = 0
        var cancelled: Set<Int> = []
    }

    let minimumResolution = Duration.nanoseconds(1)
    private let state: Lock<State>
    private let changes: AsyncStream<[Duration]>
    private let report: AsyncStream<[Duration]>.Continuation

    init(now: Duration = .zero) {
        state = Lock(State(time: now))
        (changes, report) = AsyncStream.makeStream()
    }

    var now: Instant { Instant(offset: state.withLock { $0.time }) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.contains(number) { return .failure(CancellationError()) }
                    if deadline.offset <= state.time { return .success(()) }
                    state.sleepers.append(Sleeper(number: number, deadline: deadline.offset, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
                tell()
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(number)
                return state.sleepers.remove(number)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
            tell()
        }
    }

    /// Advances the time, and wakes those whose deadline is reached.
    func advance(by duration: Duration) {
        wake(after: duration) { $0 <= $1 }
    }

    /// Wakes all sleepers without advancing the time, as a clock may that is not precise.
    func wakeEarly() {
        wake(after: .zero) { _, _ in true }
    }

    /// Returns when the deadlines of the sleepers are `deadlines`.
    func sleepers(until deadlines: [Duration]) async {
        for await current in changes where current == deadlines { return }
    }

    private func wake(after duration: Duration, where isDue: (Duration, Duration) -> Bool) {
        let due = state.withLock { state in
            state.time += duration
            let due = state.sleepers.filter { isDue($0.deadline, state.time) }
            state.sleepers.removeAll { isDue($0.deadline, state.time) }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
        tell()
    }

    private func tell() {
        report.yield(state.withLock { $0.sleepers.map(\.deadline).sorted() })
    }
}

extension [ManualClock.Sleeper] {
    fileprivate mutating func remove(_ number: Int) -> Element? {
        firstIndex { $0.number == number }.map { remove(at: $0) }
    }
}
