import Foundation

/// A minute of the Gregorian calendar, in no particular time zone.
struct CivilTime: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour = 0
    var minute = 0

    /// Creates the minute that begins at or before this many seconds after 1970.
    ///
    /// Source: [Howard Hinnant, chrono-Compatible Low-Level Date Algorithms](https://howardhinnant.github.io/date_algorithms.html).
    init(seconds: Int) {
        let count = Self.floor(seconds, 86_400)
        let era = Self.floor(count + 719_468, 146_097)
        let dayOfEra = count + 719_468 - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let rest = seconds - count * 86_400
        (hour, minute) = (rest / 3_600, rest % 3_600 / 60)
    }

    init(_ year: Int, _ month: Int, _ day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The number of days since 1970.
    private var dayNumber: Int {
        let year = month <= 2 ? year - 1 : year
        let era = Self.floor(year, 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The seconds since 1970, as if the time were in UTC.
    var seconds: Int { dayNumber * 86_400 + hour * 3_600 + minute * 60 }

    /// The day of the week; 0 is Sunday.
    var weekday: Int { (dayNumber % 7 + 11) % 7 }

    var minuteAfter: CivilTime { CivilTime(seconds: seconds + 60) }
    var minuteBefore: CivilTime { CivilTime(seconds: seconds - 60) }
    var hourAfter: CivilTime { CivilTime(seconds: seconds - minute * 60 + 3_600) }
    var dayAfter: CivilTime { CivilTime(seconds: (dayNumber + 1) * 86_400) }
    var monthAfter: CivilTime { month < 12 ? CivilTime(year, month + 1, 1) : CivilTime(year + 1, 1, 1) }

    static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static func floor(_ value: Int, _ divisor: Int) -> Int {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }
}

/// The clocks of a time zone.
struct LocalClock {
    private static let day = 86_400.0
    private let zone: TimeZone

    init(_ zone: TimeZone) {
        self.zone = zone
    }

    func civil(at date: Date) -> CivilTime {
        // A date outside any calendar would not fit an integer.
        let seconds = min(max(date.timeIntervalSince1970, -1e12), 1e12)
        return CivilTime(seconds: Int(seconds.rounded(.down)) + zone.secondsFromGMT(for: date))
    }

    /// Returns the date of a time with the offset that the zone has at `date`.
    func date(of civil: CivilTime, likeAt date: Date) -> Date {
        Date(timeIntervalSince1970: Double(civil.seconds - zone.secondsFromGMT(for: date)))
    }

    /// Returns the dates of a time: two if it exists twice, and none where the clocks are set forward over it.
    func dates(of civil: CivilTime) -> [Date] {
        let asUTC = Date(timeIntervalSince1970: Double(civil.seconds))
        let candidates = Set([date(of: civil, likeAt: asUTC - Self.day), date(of: civil, likeAt: asUTC + Self.day)])
        return candidates.filter { self.civil(at: $0) == civil }.sorted()
    }

    /// Returns the first date of a time; if the time does not exist, the moment at which the clocks are set forward over it.
    func date(of civil: CivilTime) -> Date {
        let asUTC = Date(timeIntervalSince1970: Double(civil.seconds))
        return dates(of: civil).first ?? change(from: asUTC - 2 * Self.day, to: asUTC + 2 * Self.day) ?? asUTC
    }

    /// Returns the moment at which the clocks are set within a day after `date`.
    func change(inDayAfter date: Date) -> Date? {
        change(from: date, to: date + Self.day)
    }

    private func change(from start: Date, to end: Date) -> Date? {
        let offset = zone.secondsFromGMT(for: start)
        guard zone.secondsFromGMT(for: end) != offset else { return nil }
        var (before, after) = (start.timeIntervalSince1970.rounded(.down), end.timeIntervalSince1970.rounded(.up))
        while after - before > 1 {
            let middle = ((before + after) / 2).rounded(.down)
            if zone.secondsFromGMT(for: Date(timeIntervalSince1970: middle)) == offset { before = middle } else { after = middle }
        }
        return Date(timeIntervalSince1970: after)
    }
}
