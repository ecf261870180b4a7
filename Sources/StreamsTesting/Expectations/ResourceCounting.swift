import Testing

/// Gives a test a counter of live library objects of its own, and expects it at zero when the test has ended (law 8).
///
/// ```swift
/// @Suite(.countsResources) struct RetryTests { ... }
/// ```
///
/// Objects that belong to work on other threads get up to half a minute to go away. Only debug builds count.
public struct ResourceCountingTrait: TestTrait, SuiteTrait, TestScoping {
    private let patience: Duration

    /// Makes a trait that waits for `patience` until objects of other threads are gone.
    public init(patience: Duration = .seconds(30)) {
        self.patience = patience
    }

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let counter = Resources.Counter()
        try await Resources.$counter.withValue(counter) { try await function() }
        let deadline = ContinuousClock.now + patience
        while counter.total != 0, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(1))
        }
        guard counter.total != 0 else { return }
        let kinds = counter.byKind.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        Issue.record("\(counter.total) library objects are still alive: \(kinds)", sourceLocation: test.sourceLocation)
    }
}

extension Trait where Self == ResourceCountingTrait {
    /// Expects that no library object which the test has made is left.
    public static var countsResources: Self { ResourceCountingTrait() }
}
