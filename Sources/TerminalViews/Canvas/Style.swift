/// The appearance of a cell: two colors and attributes.
public struct Style: Hashable, Sendable {
    /// The color of the text.
    public var foreground: Color
    /// The color behind the text.
    public var background: Color
    /// Bold, underlined and the like.
    public var attributes: Attributes

    /// Creates a style; without arguments, the terminal's default.
    public init(_ foreground: Color = .standard, on background: Color = .standard, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's default.
    public static let plain = Style()
    /// Bold, in the default colors.
    public static let bold = Style(.standard, .bold)
    /// Dim, in the default colors.
    public static let dim = Style(.standard, .dim)
    /// Text and background exchanged.
    public static let inverse = Style(.standard, .inverse)

    init(_ foreground: Color, _ attributes: Attributes) {
        self.init(foreground, on: .standard, attributes)
    }

    /// Returns this style with additional attributes.
    public func with(_ more: Attributes) -> Style {
        var style = self
        style.attributes.formUnion(more)
        return style
    }

    /// Returns this style without some attributes.
    public func without(_ fewer: Attributes) -> Style {
        var style = self
        style.attributes.subtract(fewer)
        return style
    }

    /// The text attributes that terminals support.
    public struct Attributes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Bold.
        public static let bold = Attributes(rawValue: 1)
        /// Dim.
        public static let dim = Attributes(rawValue: 2)
        /// Italic.
        public static let italic = Attributes(rawValue: 4)
        /// Underlined.
        public static let underline = Attributes(rawValue: 8)
        /// Text and background exchanged.
        public static let inverse = Attributes(rawValue: 16)
        /// Struck through.
        public static let strikethrough = Attributes(rawValue: 32)
    }
}
