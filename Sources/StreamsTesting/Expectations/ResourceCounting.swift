import Foundation
import Testing

/// Runs `body` under a counter of live library objects of its own, and expects it at zero soon after (law 8).
///
/// ```swift
/// expectNothingLeft { _ = try? service.items().toBlocking().toArray() }
/// ```
///
/// Objects that belong to work on other threads get `patience` to go away. For Swift Testing and XCTest; only debug builds count.
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
    Place(fileID: fileID, file: file, line: line, column: column).fail(left)
}

/// Gives a test a counter of live library objects of its own, and expects it at zero when the test has ended (law 8).
///
/// ```swift
/// @Suite(.countsResources) struct RetryTests { ... }
/// ```
///
/// Objects that belong to work on other threads get up to half a minute to go away. Only debug builds count.
public struct ResourceCountingTrait: TestTrait, SuiteTrait, TestScoping {
    private static let fewestLooks = 20
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
        var looks = 0
        // Where other tests block the pool of threads, tasks have no turn however long the clock runs: each look gives them one.
        while counter.total != 0, looks < Self.fewestLooks || ContinuousClock.now < deadline {
            looks += 1
            try await Task.sleep(for: .milliseconds(1))
        }
        guard let left = counter.left else { return }
        Issue.record("\(left)", sourceLocation: test.sourceLocation)
    }
}

extension Trait where Self == ResourceCountingTrait {
    /// Expects that no library object which the test has made is left.
    public static var countsResources: Self { ResourceCountingTrait() }
}

extension Resources.Counter {
    /// What is still alive, in words; nil if nothing is.
    fileprivate var left: String? {
        guard total != 0 else { return nil }
        let kinds = byKind.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return "\(total) library objects are still alive: \(kinds)"
    }
}
