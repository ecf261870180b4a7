/// The condition of `--fail-on`: `leaked > 0`.
struct FailCondition: Equatable {
    /// The figure that is counted.
    enum Figure: String, CaseIterable {
        /// The chains that grew in number between two snapshots, by the line that built them.
        case leaked
        /// The operators whose source is suspended.
        case suspended
        /// The running operators, including those that the inspector does not show.
        case nodes
        /// The running chains that are shown.
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
