import Foundation
import NATSNodes
import Synchronization
import TestSupport

/// The result of a client.
struct Load {
    /// Messages a second.
    let rate: Double
    /// Seconds of the client's processor time for each message, in user and kernel mode.
    let processorTime: Double

    /// - Parameter body: returns processor time of this process that does not count, in seconds.
    static func measureProcess(_ messages: Int, _ body: () throws -> Double) rethrows -> Load {
        let (start, processor) = (ContinuousClock.now, processorTime(of: CLOCK_PROCESS_CPUTIME_ID))
        let excluded = try body()
        let used = processorTime(of: CLOCK_PROCESS_CPUTIME_ID) - processor - excluded
        return Load(rate: Double(messages) / ((ContinuousClock.now - start) / .seconds(1)), processorTime: used / Double(messages))
    }

    /// Measures what this thread does alone.
    static func measureThread(_ messages: Int, _ body: () throws -> Void) rethrows -> Load {
        let (start, processor) = (ContinuousClock.now, processorTime(of: CLOCK_THREAD_CPUTIME_ID))
        try body()
        let used = processorTime(of: CLOCK_THREAD_CPUTIME_ID) - processor
        return Load(rate: Double(messages) / ((ContinuousClock.now - start) / .seconds(1)), processorTime: used / Double(messages))
    }

    private static func processorTime(of clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension Load {
    init(_ python: NATSPython.Rate) {
        self.init(rate: python.rate, processorTime: python.processorTime)
    }
}

extension [Load] {
    /// The medians of the rates and of the times.
    var median: Load {
        Load(rate: map(\.rate).sorted()[count / 2], processorTime: map(\.processorTime).sorted()[count / 2])
    }
}

enum LoadError: Error {
    case notConnected
    case incomplete
}

/// Counts the messages of all subscriptions, which arrive one after the other.
final class Counter: Sendable {
    private let count = Atomic(0)
    private let size = Atomic(0)
    private let expected: Int
    private let done = DispatchSemaphore(value: 0)
    private let failure = FirstError()

    init(expected: Int) {
        self.expected = expected
    }

    var bytes: Int { size.load(ordering: .acquiring) }

    func receive(_ bytes: Int) {
        size.store(size.load(ordering: .relaxed) + bytes, ordering: .relaxed)
        let number = count.load(ordering: .relaxed) + 1
        count.store(number, ordering: .releasing)
        if number == expected { done.signal() }
    }

    func fail(_ error: any Error) {
        failure.set(error, done)
    }

    func wait() throws {
        guard done.wait(timeout: .now() + 120) == .success else { throw LoadError.incomplete }
        try failure.check()
    }
}

/// The first error of several threads.
final class FirstError: @unchecked Sendable {
    private let lock = NSLock()
    // Sound: accessed under the lock.
    private var error: (any Error)?

    func set(_ error: any Error, _ signal: DispatchSemaphore) {
        lock.lock()
        if self.error == nil { self.error = error }
        lock.unlock()
        signal.signal()
    }

    func check() throws {
        lock.lock()
        defer { lock.unlock() }
        if let error { throw error }
    }
}

func waitForCompletion(of completable: Completable) throws {
    let (semaphore, failure) = (DispatchSemaphore(value: 0), FirstError())
    let subscription = completable.subscribe(
        onCompleted: { semaphore.signal() },
        onError: {
            failure.set($0, semaphore)
        })
    semaphore.wait()
    subscription.dispose()
    try failure.check()
}
