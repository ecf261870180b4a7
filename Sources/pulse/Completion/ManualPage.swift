import Foundation
import Streams

/// The manual page, made from the same data as the help.
///
/// Source: [groff_man(7)](https://man7.org/linux/man-pages/man7/groff_man.7.html).
enum ManualPage {
    /// The place where man looks for the page.
    static let file = InstalledFile.data("man/man1/pulse.1")

    static var text: String {
        let lines =
            [
                ".TH PULSE 1 \"\" \"pulse \(Streams.version)\"", ".SH NAME", "pulse \\- \(escaped(Help.purpose))", ".SH SYNOPSIS", ".nf",
                "\\fBpulse\\fR",
            ]
            + Subcommand.all.flatMap(\.usages).map { "\\fBpulse\\fR \(escaped($0))" }
            + [".fi", ".SH DESCRIPTION", escaped("Without a command, \(Help.demo)."), escaped(Help.surroundings), ".SH COMMANDS"]
            + Subcommand.all.flatMap(section)
            + [".SH KEYS"] + DashboardKeys.all.lines.flatMap { item($0.label, $0.help) }
            + [".SH EXIT STATUS", "Those from 5 to 77 are curl's for the same fault."]
            + ExitCode.meanings.flatMap { item($0.codes, $0.meaning) }
            + [".SH SEE ALSO", ".BR curl (1)"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ subcommand: Subcommand) -> [String] {
        let operand = subcommand.operand.isEmpty ? "" : " \(subcommand.operand)"
        return [".SS " + escaped("pulse \(subcommand.name)\(operand)")] + paragraphs(subcommand.description) + examples(subcommand.examples)
            + subcommand.sections.flatMap(flags) + [".PP", "Exit codes:"] + filled(subcommand.exitCodes)
    }

    private static func flags(_ section: FlagSection) -> [String] {
        [".PP", "\(escaped(section.title)):"]
            + section.flags.flatMap { flag in
                item(flag.names.joined(separator: ", ") + (flag.value.map { " \($0)" } ?? ""), flag.help)
            }
    }

    private static func examples(_ text: String) -> [String] {
        text.isEmpty ? [] : [".PP", ".nf", ".RS 4"] + filled(text) + [".RE", ".fi"]
    }

    private static func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? ".PP" : escaped(String($0)) }
    }

    private static func filled(_ text: String) -> [String] { text.split(separator: "\n").map { escaped(String($0)) } }

    private static func item(_ name: String, _ meaning: String) -> [String] {
        [".TP", "\\fB\(escaped(String(name.trimmingPrefix { $0 == " " })))\\fR", escaped(meaning)]
    }

    /// Escapes the text, so that it contains neither a request at the beginning of a line nor an escape within it.
    private static func escaped(_ text: String) -> String {
        let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("^", with: "\\(ha").replacing("~", with: "\\(ti")
            .replacing("'", with: "\\(aq").replacing("`", with: "\\(ga")
        return text.hasPrefix(".") ? "\\&" + text : text
    }
}
