import Streams

extension TestObserver where Element: Equatable {
    /// Expects the recorded events to match the diagram; otherwise fails the running test and prints both below one another.
    ///
    /// ```swift
    /// scheduler.start { source.map { $0 * 2 } }.expect("--2--4--|")
    /// ```
    ///
    /// This works with Swift Testing and XCTest. The failure names the place where the chain was built, if it has a `trace()`.
    public func expect(
        _ diagram: String, values: [Character: Element] = [:], error: any Error = TestError.failed,
        fileID: String = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        report(
            mismatch(with: diagram, values: values, error: error), ExpectationPlace(fileID: fileID, file: file, line: line, column: column))
    }

    /// Expects the recorded events to equal `events`; otherwise fails the running test and prints both below one another.
    public func expect(
        _ events: [Recorded<Element>],
        fileID: String = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        report(mismatch(with: events), ExpectationPlace(fileID: fileID, file: file, line: line, column: column))
    }

    /// Describes the difference between a diagram and the recorded events; `nil` if there is none.
    ///
    /// A malformed diagram is a mismatch too.
    public func mismatch(
        with diagram: String, values: [Character: Element] = [:], error: any Error = TestError.failed
    ) -> String? {
        do {
            return mismatch(with: try Marble.Diagram(diagram, values: values, error: error).events, values: values)
        } catch { return "\(error)" }
    }

    /// Describes the difference between `expected` and the recorded events; `nil` if there is none.
    public func mismatch(with expected: [Recorded<Element>], values: [Character: Element] = [:]) -> String? {
        let actual = events
        guard actual != expected else { return nil }
        var printer = Marble.Printer(values: values)
        let lines = ["expected  \(printer.draw(expected))", "actual    \(printer.draw(actual))"]
        let place = tracedPlace.map { ["          traced at \($0)"] } ?? []
        return (lines + printer.legend.map { "          \($0)" } + place).joined(separator: "\n")
    }
}

extension TestScheduler.HotObservable {
    /// Expects the subscriptions to match the diagrams, one for each: `--^---!`.
    public func expectSubscriptions(
        _ diagrams: String...,
        fileID: String = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        report(subscriptionMismatch(subscriptions, diagrams), ExpectationPlace(fileID: fileID, file: file, line: line, column: column))
    }
}

extension TestScheduler.ColdObservable {
    /// Expects the subscriptions to match the diagrams, one for each: `--^---!`.
    public func expectSubscriptions(
        _ diagrams: String...,
        fileID: String = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        report(subscriptionMismatch(subscriptions, diagrams), ExpectationPlace(fileID: fileID, file: file, line: line, column: column))
    }
}

private func subscriptionMismatch(_ actual: [TestScheduler.Subscription], _ diagrams: [String]) -> String? {
    do {
        let expected = try diagrams.compactMap { try Marble.Diagram<String>($0).subscription }
        guard actual != expected else { return nil }
    } catch { return "\(error)" }
    let expectedLines = diagrams.map { "expected  \($0)" }
    let actualLines = actual.map { "actual    \(Marble.Printer.draw($0))" }
    return (expectedLines + (actual.isEmpty ? ["actual    no subscription"] : actualLines)).joined(separator: "\n")
}

private func report(_ mismatch: String?, _ place: ExpectationPlace) {
    guard let mismatch else { return }
    place.fail("the diagrams differ\n\(mismatch)")
}

extension Event: Equatable where Element: Equatable {
    /// Compares elements as such, and errors by their description.
    public static func == (left: Event, right: Event) -> Bool {
        switch (left, right) {
        case (.next(let left), .next(let right)): left == right
        case (.error(let left), .error(let right)): String(reflecting: left) == String(reflecting: right)
        case (.completed, .completed): true
        default: false
        }
    }
}
