import Foundation
import TerminalViews

/// The colors of printed text: those that the user has chosen for the terminal's sixteen names.
struct Palette: Sendable, Equatable {
    /// What a piece of text is.
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

    /// When there are colors.
    enum Choice: String {
        case always
        case never
        /// On a terminal.
        case automatic = "auto"
    }

    /// Whether there are colors.
    let isColored: Bool

    static let none = Palette(isColored: false)

    private init(isColored: Bool) {
        self.isColored = isColored
    }

    /// The colors of what that descriptor leads to: by itself none unless it is a terminal that shows them, and none with `NO_COLOR`.
    init(for descriptor: Int32, _ choice: Choice = .automatic) {
        isColored =
            switch choice {
            case .always: true
            case .never: false
            case .automatic:
                Terminal.isTerminal(descriptor) && ColorDepth(environment: ProcessInfo.processInfo.environment) > .monochrome
            }
    }

    /// All colors, whatever the terminal.
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
