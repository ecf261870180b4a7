internal import Bytes
import Foundation

/// The times that a cron line names: minute, hour, day of the month, month and day of the week.
///
/// ```swift
/// let workdays = try CronExpression("*/5 8-17 * * mon-fri")
/// let next = workdays.next(after: .now, in: .current)
/// ```
///
/// A field is `*`, a number, a range `8-17`, a step `*/5` or `8-17/2`, or a list of them. Months and days of the week have names, `jan` and
/// `sun`; Sunday is 0 and 7. If both day fields are restricted, either suffices. If one begins with `*`, as `*/2` does, both must match:
/// `0 0 29 2 */7` is February 29 on a Sunday. `@hourly`, `@daily`, `@midnight`, `@weekly`, `@monthly`, `@yearly` and `@annually` are
/// abbreviations.
///
/// Where clocks are set forward, the first existing time replaces a time that does not exist. Where they are set back, a time that exists
/// twice counts once. Lines whose minute or hour begins with `*` mean each matching minute instead, so they skip times that do not exist
/// and repeat those that exist twice. Source: [crontab(5)](https://man7.org/linux/man-pages/man5/crontab.5.html).
public struct CronExpression: Sendable, Equatable {
    private let minutes: Set<Int>
    private let hours: Set<Int>
    private let days: Set<Int>
    private let months: Set<Int>
    private let weekdays: Set<Int>
    /// Whether the other day field decides alone.
    private let isAnyDay: Bool
    /// Whether the expression means each minute that matches, however the clocks are set.
    private let isPeriodic: Bool

    /// Reads a cron line, without a command.
    public init(_ line: String) throws(Failure) {
        let fields = try Self.fields(of: line)
        guard fields.count == 5 else { throw .fieldCount(fields.count) }
        minutes = try CronFieldParser(.minute).values(of: fields[0])
        hours = try CronFieldParser(.hour).values(of: fields[1])
        days = try CronFieldParser(.dayOfMonth).values(of: fields[2])
        months = try CronFieldParser(.month).values(of: fields[3])
        weekdays = Set(try CronFieldParser(.dayOfWeek).values(of: fields[4]).map { $0 % 7 })
        let isAnyWeekday = fields[4].hasPrefix("*")
        isAnyDay = fields[2].hasPrefix("*") || isAnyWeekday
        isPeriodic = fields[0].hasPrefix("*") || fields[1].hasPrefix("*")
        let longest = months.map { CivilTime.days(inMonth: $0, of: 2024) }.max() ?? 0
        guard !isAnyWeekday || (days.min() ?? 0) <= longest else { throw .neverFires }
    }

    private static let abbreviations = [
        "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *",
        "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
    ]

    private static func fields(of line: String) throws(Failure) -> [Substring] {
        let fields = line.split(whereSeparator: \.isWhitespace)
        guard let first = fields.first, first.hasPrefix("@") else { return fields }
        guard fields.count == 1, let full = abbreviations[first.lowercased()] else { throw .unknownAbbreviation(String(first)) }
        return full.split(separator: " ")
    }
}

extension CronExpression {
    /// Returns the first time after `date` in the time of `zone`.
    ///
    /// Returns `nil` if there is none in the 400 years after which the calendar repeats: on each matching day, the zone's clocks are set
    /// forward over the time, as with `*/5 2 29 3 */7` in Berlin.
    public func next(after date: Date, in zone: TimeZone) -> Date? {
        let local = LocalClock(zone)
        let now = local.civil(at: date)
        let end = now.year + Self.calendarPeriod + 1
        guard let civil = nextCivil(after: now, before: end) else { return nil }
        guard isPeriodic else { return nextFixed(from: civil, after: date, before: end, local) }
        if let change = local.change(inDayAfter: date) {
            let time = local.date(of: civil, likeAt: date)
            if time < change { return time }
            // Time continues from the minute to which the clocks were set, which may itself match.
            guard let civil = nextCivil(after: local.civil(at: change).minuteBefore, before: end) else { return nil }
            let later = local.date(of: civil, likeAt: change)
            if local.civil(at: later) == civil { return later }
        }
        return nextExisting(from: civil, after: date, before: end, local)
    }

    /// The number of years after which each date falls on the same day of the week again.
    private static let calendarPeriod = 400

    /// Returns the next time that exists. A time that does not exist is skipped: no minute of it passes.
    private func nextExisting(from first: CivilTime, after date: Date, before end: Int, _ local: LocalClock) -> Date? {
        var civil: CivilTime? = first
        while let candidate = civil {
            if let time = local.dates(of: candidate).first(where: { $0 > date }) { return time }
            civil = nextCivil(after: candidate, before: end)
        }
        return nil
    }

    private func nextFixed(from first: CivilTime, after date: Date, before end: Int, _ local: LocalClock) -> Date? {
        var civil: CivilTime? = first
        while let candidate = civil {
            let time = local.date(of: candidate)
            if time > date { return time }
            civil = nextCivil(after: candidate, before: end)
        }
        return nil
    }

    /// Returns the first time of the calendar after `time` that matches, before the year `end`.
    private func nextCivil(after time: CivilTime, before end: Int) -> CivilTime? {
        var time = time.minuteAfter
        while time.year < end {
            guard months.contains(time.month) else {
                time = time.monthAfter
                continue
            }
            guard matchesDay(time) else {
                time = time.dayAfter
                continue
            }
            guard hours.contains(time.hour) else {
                time = time.hourAfter
                continue
            }
            guard !minutes.contains(time.minute) else { return time }
            time = time.minuteAfter
        }
        return nil
    }

    private func matchesDay(_ time: CivilTime) -> Bool {
        let isDay = days.contains(time.day)
        let isWeekday = weekdays.contains(time.weekday)
        return isAnyDay ? isDay && isWeekday : isDay || isWeekday
    }
}

extension CronExpression {
    /// The fields of a cron line, in their order.
    public enum Field: String, Sendable, CaseIterable {
        /// The first two fields.
        case minute, hour
        /// The third field.
        case dayOfMonth = "day of month"
        /// The fourth field.
        case month
        /// The fifth field.
        case dayOfWeek = "day of week"
    }

    /// The reason why a cron line is not valid.
    public enum Failure: Error, Equatable, Sendable {
        /// The line does not have five fields, but this many.
        case fieldCount(Int)
        /// There is no such abbreviation. `@reboot` is not one either, because it is no time.
        case unknownAbbreviation(String)
        /// A part of a field is no number, name, range or list of them.
        case malformed(Field, String)
        /// A number is outside of the range of the field.
        case outOfRange(Field, String, allowed: ClosedRange<Int>)
        /// A range ends before it begins.
        case reversedRange(Field, String)
        /// A step is not a number from 1 to the largest of its field, or follows something other than `*` or a range.
        case invalidStep(Field, String)
        /// No month of the line has such a day, as with February 31, or the clocks of the zone are set forward over the time on each such
        /// day.
        case neverFires
    }
}

extension CronExpression.Failure: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .fieldCount(let count):
            "A cron line has five fields (\(CronExpression.Field.allCases.map(\.rawValue).joined(separator: ", "))), not \(count)."
        case .unknownAbbreviation(let text): "There is no abbreviation \(text)."
        case .malformed(let field, let text): "The \(field.rawValue) \"\(text)\" is no number, name or range."
        case .outOfRange(let field, let text, let allowed):
            "The \(field.rawValue) \"\(text)\" is not in \(allowed.lowerBound) to \(allowed.upperBound)."
        case .reversedRange(let field, let text): "The \(field.rawValue) \"\(text)\" ends before it begins."
        case .invalidStep(let field, let text):
            "The \(field.rawValue) \"\(text)\" has a step that is not positive, larger than the field, or not behind * or a range."
        case .neverFires: "There is no such time: no month of the line has such a day, or the clocks are always set forward over it."
        }
    }

    public var errorDescription: String? { description }
}

/// Reads one field of a cron line.
private struct CronFieldParser {
    private let field: CronExpression.Field
    private let allowed: ClosedRange<Int>
    private let names: [String]

    init(_ field: CronExpression.Field) {
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

    func values(of text: Substring) throws(CronExpression.Failure) -> Set<Int> {
        var values: Set<Int> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            values.formUnion(try self.values(ofPart: part))
        }
        return values
    }

    private func values(ofPart part: Substring) throws(CronExpression.Failure) -> Set<Int> {
        let pieces = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let range = try range(pieces[0], of: part)
        guard pieces.count > 1 else { return Set(range) }
        let isRange = pieces[0] == "*" || pieces[0].contains("-")
        guard isRange, let step = number(pieces[1]), step > 0, step <= allowed.upperBound else {
            throw .invalidStep(field, String(part))
        }
        return Set(stride(from: range.lowerBound, through: range.upperBound, by: step))
    }

    private func range(_ text: Substring, of part: Substring) throws(CronExpression.Failure) -> ClosedRange<Int> {
        guard text != "*" else { return allowed }
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let first = try value(ends[0], of: part)
        guard ends.count > 1 else { return first...first }
        let last = try value(ends[1], of: part)
        guard first <= last else { throw .reversedRange(field, String(part)) }
        return first...last
    }

    private func value(_ text: Substring, of part: Substring) throws(CronExpression.Failure) -> Int {
        if !text.isEmpty, let index = names.firstIndex(of: text.lowercased()) { return index }
        guard let number = number(text) else { throw .malformed(field, String(part)) }
        guard allowed.contains(number) else { throw .outOfRange(field, String(part), allowed: allowed) }
        return number
    }

    /// Parses a number that has only digits, without a sign, and that fits.
    private func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text) ?? .max
    }
}
