/// A color of text or of its background.
///
/// A color that the terminal cannot show is replaced by the nearest one that it can show, see ``Color/Depth``.
public enum Color: Hashable, Sendable {
    /// The terminal's default color.
    case standard
    /// One of the sixteen named colors, 0 to 15, in the shades of the user's theme.
    case named(UInt8)
    /// One of the 256 colors of xterm's palette.
    case palette(UInt8)
    /// Red, green and blue, 0 to 255 each.
    case rgb(UInt8, UInt8, UInt8)

    /// Named color 0.
    public static let black = Color.named(0)
    /// Named color 1.
    public static let red = Color.named(1)
    /// Named color 2.
    public static let green = Color.named(2)
    /// Named color 3.
    public static let yellow = Color.named(3)
    /// Named color 4.
    public static let blue = Color.named(4)
    /// Named color 5.
    public static let magenta = Color.named(5)
    /// Named color 6.
    public static let cyan = Color.named(6)
    /// Named color 7, a light gray in most themes.
    public static let white = Color.named(7)
    /// Named color 8, a dark gray in most themes.
    public static let gray = Color.named(8)
}

extension Color {
    /// Returns the nearest color at the given depth; `standard` without colors.
    func reduced(to depth: Depth) -> Color {
        switch (self, depth) {
        case (_, .monochrome): .standard
        case (.standard, _), (.named, _), (_, .trueColor), (.palette, .palette): self
        case (.rgb(let red, let green, let blue), .palette): .palette(Color.paletteIndex(red, green, blue))
        case (.rgb(let red, let green, let blue), .sixteen): .named(Color.nearestNamed(red, green, blue))
        case (.palette(let index), .sixteen): Color.namedForPalette(index)
        }
    }

    private static func namedForPalette(_ index: UInt8) -> Color {
        guard index > 15 else { return .named(index) }
        let (red, green, blue) = components(ofPalette: index)
        return .named(nearestNamed(red, green, blue))
    }

    /// Returns the color of an index: six shades for each channel, at 0, 95, 135, 175, 215, 255, and 24 grays from 8 in steps of 10.
    private static func components(ofPalette index: UInt8) -> (UInt8, UInt8, UInt8) {
        guard index < 232 else {
            let gray = 8 + (index - 232) * 10
            return (gray, gray, gray)
        }
        let cube = index - 16
        return (shade(cube / 36), shade(cube / 6 % 6), shade(cube % 6))
    }

    private static func shade(_ step: UInt8) -> UInt8 { step == 0 ? 0 : 55 + step * 40 }

    private static func paletteIndex(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
        if red == green, green == blue, red > 7, red < 239 { return 232 + (red - 8) / 10 }
        return 16 + 36 * step(red) + 6 * step(green) + step(blue)
    }

    private static func step(_ value: UInt8) -> UInt8 {
        if value < 48 { return 0 }
        if value < 115 { return 1 }
        return (value - 35) / 40
    }

    private static func nearestNamed(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
        let brightest = max(red, green, blue)
        guard brightest > 47 else { return 0 }
        let isOn = { (channel: UInt8) in channel > brightest / 2 }
        let hue: UInt8 = (isOn(red) ? 1 : 0) | (isOn(green) ? 2 : 0) | (isOn(blue) ? 4 : 0)
        if hue == 7, brightest < 160 { return 8 }
        return brightest > 200 && hue != 7 || brightest > 230 ? hue + 8 : hue
    }
}

extension Color {
    /// The number of colors that a terminal shows.
    public enum Depth: Int, Hashable, Sendable, Comparable {
        /// Attributes such as bold and inverse, but no color.
        case monochrome
        /// The sixteen named colors.
        case sixteen
        /// The 256 colors of xterm.
        case palette
        /// 24 bits: any red, green and blue.
        case trueColor

        public static func < (left: Depth, right: Depth) -> Bool { left.rawValue < right.rawValue }

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
}
