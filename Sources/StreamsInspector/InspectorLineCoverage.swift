extension Inspector {
    /// The work of all operators of a line.
    package struct LineCoverage: Sendable, Hashable {
        /// The operator.
        package let operatorName: String
        /// The line that built it.
        package let place: InspectorSnapshot.Node.Place
        /// The number of operators that were started.
        package fileprivate(set) var starts = 0
        /// The number of elements that they have emitted. If an operator passes the observer of its consumer on, these are the consumer's
        /// elements.
        package fileprivate(set) var elements: UInt64 = 0
        /// The number of their upstreams that have failed.
        package fileprivate(set) var errors = 0
    }
}

extension InspectorScope {
    /// Creates a scope that also counts the work of operators that have ended.
    package static func countingLines() -> InspectorScope {
        InspectorScope(InspectedStreams(remembersEnded: true))
    }

    /// The work of the operators of each line of the program, in the order of the lines; empty without the inspector.
    package var lines: [Inspector.LineCoverage] {
        typealias Line = Inspector.LineCoverage
        let tallies = streams.tallies
        SymbolTable.shared.lookUp(tallies.map(\.stack))
        var lines: [Line: Line] = [:]
        for tally in tallies {
            let origin = SymbolTable.shared.origin(of: tally.stack)
            guard let place = origin.place else { continue }
            let line = Line(operatorName: origin.operatorName, place: place)
            lines[line, default: line].add(tally)
        }
        return lines.values.sorted { ($0.place.file, $0.place.line, $0.operatorName) < ($1.place.file, $1.place.line, $1.operatorName) }
    }
}

/// The work of the operators that the same calls created.
struct InspectedTally {
    let stack: CallStack
    private(set) var starts = 0
    private(set) var elements: UInt64 = 0
    private(set) var errors = 0

    init(_ stack: CallStack) {
        self.stack = stack
    }

    mutating func add(_ node: InspectedNode) {
        starts += 1
        errors += node.figures.errors
        elements += node.counts.elementCount
    }
}

extension Inspector.LineCoverage {
    fileprivate mutating func add(_ tally: InspectedTally) {
        starts += tally.starts
        elements += tally.elements
        errors += tally.errors
    }
}
