import Foundation
import Schedulers
import Testing

/// Runs exit tests on threads of their own, as many at a time as there are cores.
///
/// Otherwise the task that waits for the child comes after all other tests. If the child has ended meanwhile, nobody knows it yet: the
/// thread of Swift Testing that waits for children finds it again and again, without a pause, and takes a core for that.
public struct ExitTestTrait: TestTrait, TestScoping {
    private static let places = Places(max(2, ProcessInfo.processInfo.activeProcessorCount))

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingThreads.ofExitTests) {
            await Self.places.take()
            defer { Self.places.giveBack() }
            try await function()
        }
    }
}

extension Trait where Self == ExitTestTrait {
    /// Waits promptly for the children of an exit test.
    public static var startsChild: Self { ExitTestTrait() }
}

/// A number of places, which are given in the order of the requests.
private final class Places: Sendable {
    private let state: Lock<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

    init(_ count: Int) {
        state = Lock((count, []))
    }

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func giveBack() {
        let next = state.withLock { state in
            if state.waiting.isEmpty { state.free += 1 }
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }
}
