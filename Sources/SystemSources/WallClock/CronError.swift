import Foundation

/// The fields of a cron line, in their order.
public enum CronField: String, Sendable, CaseIterable {
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
public enum CronError: Error, Equatable, Sendable {
    /// The line has not five fields but this many.
    case fieldCount(Int)
    /// There is no such abbreviation; `@reboot` is none either, because it is no time.
    case unknownAbbreviation(String)
    /// A part of a field is no number, name, range or list of them.
    case malformed(CronField, String)
    /// A number is outside of what the field allows.
    case outOfRange(CronField, String, allowed: ClosedRange<Int>)
    /// A range ends before it begins.
    case reversedRange(CronField, String)
    /// A step is not a number from 1 to the largest of its field, or stands behind something else than `*` or a range.
    case invalidStep(CronField, String)
    /// No month of the line has such a day, as with February 31.
    case neverFires
}

extension CronError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .fieldCount(let count):
            "A cron line has five fields (\(CronField.allCases.map(\.rawValue).joined(separator: ", "))), not \(count)."
        case .unknownAbbreviation(let text): "There is no abbreviation \(text)."
        case .malformed(let field, let text): "The \(field.rawValue) \"\(text)\" is no number, name or range."
        case .outOfRange(let field, let text, let allowed):
            "The \(field.rawValue) \"\(text)\" is not in \(allowed.lowerBound) to \(allowed.upperBound)."
        case .reversedRange(let field, let text): "The \(field.rawValue) \"\(text)\" ends before it begins."
        case .invalidStep(let field, let text):
            "The \(field.rawValue) \"\(text)\" has a step that is not positive, larger than the field, or not behind * or a range."
        case .neverFires: "No month of the line has such a day."
        }
    }

    public var errorDescription: String? { description }
}
