/// Reads one field of a cron line.
struct CronFieldParser {
    private let field: CronField
    private let allowed: ClosedRange<Int>
    private let names: [String]

    init(_ field: CronField) {
        self.field = field
        switch field {
        case .minute: (allowed, names) = (0...59, [])
        case .hour: (allowed, names) = (0...23, [])
        case .dayOfMonth: (allowed, names) = (1...31, [])
        case .month:
            allowed = 1...12
            names = ["", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        case .dayOfWeek: (allowed, names) = (0...7, ["sun", "mon", "tue", "wed", "thu", "fri", "sat"])
        }
    }

    func values(of text: Substring) throws(CronError) -> Set<Int> {
        var values: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            values.formUnion(try self.values(ofPart: part))
        }
        return values
    }

    private func values(ofPart part: Substring) throws(CronError) -> Set<Int> {
        let pieces = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let range = try range(pieces[0], of: part)
        guard pieces.count > 1 else { return Set(range) }
        let isRange = pieces[0] == "*" || pieces[0].contains("-")
        guard isRange, let step = number(pieces[1]), step > 0, step <= allowed.upperBound else {
            throw .invalidStep(field, String(part))
        }
        return Set(stride(from: range.lowerBound, through: range.upperBound, by: step))
    }

    private func range(_ text: Substring, of part: Substring) throws(CronError) -> ClosedRange<Int> {
        guard text != "*" else { return allowed }
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let first = try value(ends[0], of: part)
        guard ends.count > 1 else { return first...first }
        let last = try value(ends[1], of: part)
        guard first <= last else { throw .reversedRange(field, String(part)) }
        return first...last
    }

    private func value(_ text: Substring, of part: Substring) throws(CronError) -> Int {
        if !text.isEmpty, let index = names.firstIndex(of: text.lowercased()) { return index }
        guard let number = number(text) else { throw .malformed(field, String(part)) }
        guard allowed.contains(number) else { throw .outOfRange(field, String(part), allowed: allowed) }
        return number
    }

    /// Parses a number that has only digits, without a sign, and that fits.
    private func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text) ?? .max
    }
}
