/// The number of colors that a terminal shows.
public enum ColorDepth: Int, Hashable, Sendable, Comparable {
    /// Attributes such as bold and inverse, but no color.
    case monochrome
    /// The sixteen named ones.
    case sixteen
    /// xterm's 256.
    case palette
    /// 24 bits: any red, green and blue.
    case trueColor

    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }

    /// Detects the depth from the environment: `NO_COLOR` first ([no-color.org](https://no-color.org)), then `COLORTERM`, then `TERM`.
    public init(environment: [String: String]) {
        let terminal = environment["TERM", default: ""]
        let hint = environment["COLORTERM", default: ""]
        let isTrueColor = hint == "truecolor" || hint == "24bit" || terminal.hasSuffix("-direct")
        self =
            if !environment["NO_COLOR", default: ""].isEmpty || Self.colorless.contains(terminal) || terminal.hasSuffix("-m") {
                .monochrome
            } else if isTrueColor {
                .trueColor
            } else if terminal.contains("256color") || Self.rich.contains(terminal) {
                .palette
            } else {
                .sixteen
            }
    }

    private static let colorless: Set<String> = ["", "dumb", "vt52", "vt100", "vt102", "vt220", "vt320", "xterm-mono"]
    private static let rich: Set<String> = ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour"]
}
