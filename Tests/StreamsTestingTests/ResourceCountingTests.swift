import StreamsInspector
import StreamsTesting
import Testing

@Suite("Counting live objects", .countsResources)
struct ResourceCountingTests {
    @Test(.countsResources) func `A test counts its own objects`() {
        #expect(Resources.total == 0)
        let subject = PublishSubject<Int>()
        let subscription = subject.subscribe { _ in }
        #expect(Resources.total > 0)
        subscription.dispose()
    }

    @Test(.countsResources(patience: .seconds(10))) func `A test that needs longer says so`() {
        #expect(Resources.total == 0)
    }

    @Test func `A leak is an issue with its kind`() async throws {
        let kept = Lock<PublishSubject<Int>?>(nil)
        let test = try #require(Test.current)
        try await withKnownIssue {
            try await Resources.CountingTrait(patience: .milliseconds(2)).provideScope(for: test, testCase: nil) {
                kept.withLock { $0 = PublishSubject<Int>() }
            }
        } matching: {
            $0.description.contains("1 library objects are still alive: 1 Subject")
        }
        #expect(kept.withLock { $0 } != nil)
    }

    @Test(.enabled(if: Inspector.isAvailable)) func `A chain that is left running is named with the line that built it`() async throws {
        let kept = Lock<(any Disposable)?>(nil)
        let subject = PublishSubject<Int>()
        let test = try #require(Test.current)
        let line = #line + 3
        try await withKnownIssue {
            try await Resources.CountingTrait(patience: .milliseconds(2)).provideScope(for: test, testCase: nil) {
                kept.withLock { $0 = subject.map { $0 }.subscribe { _ in } }
            }
        } matching: {
            $0.description.contains("map (StreamsTestingTests/ResourceCountingTests.swift:\(line))")
        }
        kept.withLock { $0 }?.dispose()
    }
}
