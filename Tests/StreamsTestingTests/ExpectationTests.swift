import StreamsTesting
import Testing

@Suite("Expectations", .countsResources)
struct ExpectationTests {
    let scheduler = TestScheduler()

    @Test func `Different diagrams are printed below one another, with a common legend`() throws {
        let source = try scheduler.hot("-1-2-|", of: Int.self)
        let observer = scheduler.start { source.map { $0 * 10 } }
        let mismatch = observer.mismatch(with: "-a--b|", values: ["a": 10, "b": 21])
        #expect(mismatch == "expected  -a--b|\nactual    -a-c-|\n          c = 20")
        #expect(observer.mismatch(with: "-a-b-|", values: ["a": 10, "b": 20]) == nil)
    }

    @Test func `A failure says where the chain was built`() throws {
        let source = try scheduler.hot("-1|", of: Int.self)
        let observer = scheduler.start { source.trace("prices", file: "App/Prices.swift", line: 7) }
        #expect(observer.mismatch(with: "-2|") == "expected  -2|\nactual    -1|\n          traced at prices (App/Prices.swift:7)")
    }

    @Test func `An unmet expectation fails the running test`() throws {
        let source = try scheduler.hot("-1|", of: Int.self)
        let observer = scheduler.start { source }
        withKnownIssue {
            observer.expect("-2|")
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("expected  -2|\nactual    -1|") }
        }
        withKnownIssue {
            source.expectSubscriptions("^!")
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("expected  ^!\nactual    ^-!") }
        }
        observer.expect("-1|")
        source.expectSubscriptions("^-!")
    }

    @Test func `A malformed diagram is a mismatch with its position`() throws {
        let observer = TestObserver<Int>()
        #expect(observer.mismatch(with: "-x") == "the marble diagram is wrong\n-x\n ^ 'x' denotes no element: name it in `values`")
    }
}
