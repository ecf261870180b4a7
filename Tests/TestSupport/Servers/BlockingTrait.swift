import Foundation
import Testing

/// Runs tests on threads of their own, because they wait by blocking: for a socket, a program, a `Slot`, a semaphore, `toBlocking()`.
///
/// The pool that runs tests and tasks has as many threads as there are cores. Tests that block there stop all others, and on one core also
/// the task for which they wait.
public struct BlockingTrait: TestTrait, SuiteTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingThreads.all) { try await function() }
    }
}

extension Trait where Self == BlockingTrait {
    /// Lets each test block the thread that it runs on.
    public static var blocksThread: Self { BlockingTrait() }
}

/// Twice as many threads as there are cores, because tests that block mostly wait.
final class BlockingThreads: TaskExecutor, @unchecked Sendable {
    static let all = BlockingThreads(count: 2 * ProcessInfo.processInfo.activeProcessorCount)
    static let ofExitTests = BlockingThreads(count: 1)

    private let condition = NSCondition()
    // Sound: accessed under the lock of the condition.
    private var jobs: [UnownedJob] = []

    private init(count: Int) {
        for _ in 0..<count { Thread.detachNewThread { [self] in run() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    private func run() {
        while true {
            let job = condition.withLock {
                while jobs.isEmpty { condition.wait() }
                return jobs.removeFirst()
            }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
