#if canImport(XCTest) && !canImport(ObjectiveC)
    import StreamsTesting
    import XCTest

    /// The kit under XCTest: its failures are failures of the running test case.
    final class XCTestExpectationTests: XCTestCase {
        // XCTest runs a test case on one thread.
        nonisolated(unsafe) private var captured: [String]?

        override func recordFailure(withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool) {
            guard captured == nil else { return captured!.append(description) }
            super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }

        func testExpectationsThatAreMetPass() throws {
            let scheduler = TestScheduler()
            let source = try scheduler.hot("-1-2|", of: Int.self)
            scheduler.start { source.map { $0 + 1 } }.expect("-2-3|")
            source.expectSubscriptions("^---!")
            XCTAssertEqual(try Observable.of(1, 2).toBlocking().toArray(), [1, 2])
        }

        func testAnExpectationThatIsNotMetFailsTheTestCase() throws {
            let scheduler = TestScheduler()
            let source = try scheduler.hot("-1|", of: Int.self)
            let observer = scheduler.start { source }
            captured = []
            observer.expect("-2|")
            let failures = captured
            captured = nil
            XCTAssertEqual(failures?.count, 1)
            XCTAssertTrue(failures?.first?.contains("expected  -2|\nactual    -1|") ?? false, "\(failures ?? [])")
        }
    }
#endif
