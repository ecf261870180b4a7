import Dispatch
import Foundation
import StreamsInspector
import Testing

/// Runs `body` under a counter of live library objects of its own, and expects the count to return to zero (law 8).
///
/// ```swift
/// expectNothingLeft { _ = try? service.items().toBlocking().toArray() }
/// ```
///
/// Objects of work on other threads have `patience` to be released. This works with Swift Testing and XCTest; only debug builds count.
public func expectNothingLeft(
    within patience: Duration = .seconds(5),
    fileID: String = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: () throws -> Void
) rethrows {
    let counter = Resources.Counter()
    try Resources.$counter.withValue(counter, operation: body)
    let deadline = ContinuousClock.now + patience
    while counter.total != 0, ContinuousClock.now < deadline { usleep(1_000) }
    guard let left = counter.left else { return }
    ExpectationPlace(fileID: fileID, file: file, line: line, column: column).fail(left)
}

extension Resources {
    /// Gives a test a counter of live library objects of its own, and expects the count to be zero after the test (law 8).
    ///
    /// ```text
    /// @Suite(.countsResources) struct RetryTests { ... }
    /// ```
    ///
    /// A failure also names the chains that are still running, with the lines that built them, if the build contains the `Inspector`.
    /// Objects of work on other threads have two seconds to be released, and longer if the machine has no time for them. Only debug builds
    /// count.
    public struct CountingTrait: TestTrait, SuiteTrait, TestScoping {
        private static let fewestLooks = 20
        private let patience: Duration

        /// Creates a trait that waits for `patience` until objects of other threads have been released. It checks once a millisecond, and
        /// the number of checks counts. Between two checks it crosses the main queue and a global queue, so that actions queued there have
        /// run, however busy the machine is.
        public init(patience: Duration = .seconds(2)) {
            self.patience = patience
        }

        public var isRecursive: Bool { true }

        public func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
        ) async throws {
            let counter = Resources.Counter()
            let chains = ChainRecorder()
            try await Resources.$counter.withValue(counter) { try await chains.recording { try await function() } }
            var looks = max(Self.fewestLooks, Int(min(patience / .milliseconds(1), 1e9)))
            // When other tests block the thread pool, tasks do not run however much time passes: each check yields to them.
            while counter.total != 0, looks > 0 {
                looks -= 1
                // `Task.sleep` is not used: on Linux the event of its timer can get lost, and only another event finds it again.
                await withCheckedContinuation { continuation in
                    DispatchQueue.main.async {
                        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { continuation.resume() }
                    }
                }
            }
            guard let left = counter.left else { return }
            let leaks = chains.leaks().map { "\n\($0)" }.joined()
            Issue.record("\(left)\(leaks)", sourceLocation: test.sourceLocation)
        }
    }
}

extension Trait where Self == Resources.CountingTrait {
    /// Expects every library object that the test has created to be released.
    public static var countsResources: Self { Resources.CountingTrait() }

    /// Expects every library object that the test has created to be released; objects of other threads have `patience`.
    public static func countsResources(patience: Duration) -> Self { Resources.CountingTrait(patience: patience) }
}

extension Resources.Counter {
    /// Describes the objects that are still alive; `nil` if there are none.
    fileprivate var left: String? {
        guard total != 0 else { return nil }
        let kinds = byKind.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return "\(total) library objects are still alive: \(kinds)"
    }
}
