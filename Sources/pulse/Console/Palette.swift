import Foundation
import TerminalViews

/// The colors of printed text: those that the user has chosen for the sixteen names of the terminal.
struct Palette: Sendable, Equatable {
    /// The role of a piece of text.
    enum Role: Sendable {
        case key, string, number, literal, dim, strong, good, notice, warning, failure

        /// The parameter of the control sequence.
        ///
        /// Source: [ECMA-48](https://ecma-international.org/publications-and-standards/standards/ecma-48/), SGR.
        fileprivate var code: String {
            switch self {
            case .key, .notice: "36"
            case .string: "32"
            case .number: "33"
            case .literal: "35"
            case .dim: "2"
            case .strong: "1"
            case .good: "1;32"
            case .warning: "1;33"
            case .failure: "1;31"
            }
        }
    }

    /// The choice of when to use colors.
    enum Choice: String {
        case always
        case never
        /// Use colors on a terminal.
        case automatic = "auto"
    }

    /// Whether text has colors.
    let isColored: Bool

    static let none = Palette(isColored: false)

    private init(isColored: Bool) {
        self.isColored = isColored
    }

    /// Chooses the colors for the destination of that descriptor. Without an explicit choice there are none unless it is a terminal that
    /// shows them, and none with `NO_COLOR`.
    init(for descriptor: Int32, _ choice: Choice = .automatic) {
        isColored =
            switch choice {
            case .always: true
            case .never: false
            case .automatic:
                Terminal.isTerminal(descriptor) && Color.Depth(environment: ProcessInfo.processInfo.environment) > .monochrome
            }
    }

    /// All colors, for any terminal.
    static let full = Palette(isColored: true)

    /// Returns the text in the color of the role.
    func callAsFunction(_ role: Role, _ text: some StringProtocol) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(role.code)m\(text)\u{1B}[m" : String(text)
    }

    /// The role of a status code.
    static func role(ofStatus status: Int) -> Role {
        switch status {
        case ..<300: .good
        case ..<400: .notice
        case ..<500: .warning
        default: .failure
        }
    }
}
