import NetNodes
import StreamsInspector

/// The condition of `--fail-on`: `leaked > 0`.
struct FailCondition: Equatable {
    /// The figure that is counted.
    enum Figure: String, CaseIterable {
        /// The chains that grew in number between two counts, by the line that built them.
        case leaked
        /// The operators whose source is suspended.
        case suspended
        /// The running operators, including those that the inspector does not show.
        case nodes
        /// The running chains, of those operators that the inspector keeps.
        case chains
        /// The failed upstreams of the running operators.
        case errors
    }

    /// The comparison.
    enum Comparison: String, CaseIterable {
        case atLeast = ">="
        case greater = ">"
        case equal = "="
    }

    let figure: Figure
    let comparison: Comparison
    let number: Int

    /// - Throws: `UsageError` with the expected form.
    init(parsing text: String) throws(UsageError) {
        let word = text.trimmingPrefix(while: \.isWhitespace).prefix { $0.isASCII && $0.isLetter }
        let names = Figure.allCases.map(\.rawValue)
        guard let figure = Figure(rawValue: String(word)) else {
            let hint = nearestWord(to: String(word.prefix(20)), among: names).map { "; did you mean \($0)?" } ?? ""
            throw Self.failure(text, "it begins with \(names.joined(separator: ", "))\(hint)")
        }
        let rest = text[word.endIndex...].trimmingPrefix(while: \.isWhitespace)
        guard let comparison = Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else {
            throw Self.failure(text, "\(figure.rawValue) is followed by >, >= or =")
        }
        let digits = rest.dropFirst(comparison.rawValue.count).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int(digits)
        else { throw Self.failure(text, "it ends with a whole number, such as 0") }
        (self.figure, self.comparison, self.number) = (figure, comparison, number)
    }

    /// Whether the condition holds for a count.
    func holds(for count: Int) -> Bool {
        switch comparison {
        case .greater: count > number
        case .atLeast: count >= number
        case .equal: count == number
        }
    }

    private static func failure(_ text: String, _ reason: String) -> UsageError {
        UsageError("pulse inspect: --fail-on \(text.quotedForMessage) is no condition: \(reason)")
    }
}

extension FailCondition: CustomStringConvertible {
    var description: String { "\(figure.rawValue) \(comparison.rawValue) \(number)" }
}

/// The count for a condition of `--fail-on`.
struct InspectCount {
    /// The number that is compared.
    let count: Int
    /// The lines of the program that contribute to it, the greatest first; empty for a sum over the process.
    var places: [Inspector.Leak] = []

    /// - Parameter earlier: the counts with which `leaked` compares.
    init(_ figure: FailCondition.Figure, in counts: InspectorProtocol.Counts, since earlier: InspectorProtocol.Counts?) {
        switch figure {
        case .leaked:
            places = counts.grownChains(since: earlier ?? counts)
            count = places.reduce(0) { $0 + $1.count }
        case .suspended: count = counts.suspended
        case .nodes: count = counts.totals.nodes + counts.totals.hidden
        case .chains: count = counts.totals.chains
        case .errors: count = counts.errors
        }
    }

    /// Returns `leaked > 0 holds: 3, of which 2 interval (App/Quotes.swift:12)`.
    func sentence(_ condition: FailCondition) -> String {
        let parts = places.prefix(5).map { "\($0.count) `\($0.operatorName)`\($0.place.map { " (\($0))" } ?? "")" }
        return "\(condition) holds: \(figureText)\(parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))"
    }

    private var figureText: String { "it is \(count)" }
}

extension InspectorProtocol.Counts {
    /// Returns the lines that have more chains than earlier, and the numbers of additional chains.
    fileprivate func grownChains(since earlier: InspectorProtocol.Counts) -> [Inspector.Leak] {
        func line(_ leak: Inspector.Leak) -> Inspector.Leak {
            var line = leak
            line.count = 0
            return line
        }
        let before = Dictionary(earlier.chains.map { (line($0), $0.count) }, uniquingKeysWith: +)
        return chains.compactMap { leak in
            var grown = leak
            grown.count -= before[line(leak)] ?? 0
            return grown.count > 0 ? grown : nil
        }.sorted { ($1.count, $0.operatorName, $0.place?.description ?? "") < ($0.count, $1.operatorName, $1.place?.description ?? "") }
    }
}
