import Foundation

extension Wording {
    /// `1 check`, `2 checks`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// The local date: `2026-11-22`.
    static func day(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let number = { (value: Int32) in value < 10 ? "0\(value)" : "\(value)" }
        return "\(parts.tm_year + 1900)-\(number(parts.tm_mon + 1))-\(number(parts.tm_mday))"
    }
}
