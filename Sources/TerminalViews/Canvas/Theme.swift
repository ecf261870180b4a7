/// The styles of a screen, named by their meaning.
///
/// Views take styles; a theme gives your program one place to choose them. Colors are the named ones where a user's own shades are legible
/// on the background, and fixed shades where they are not: yellow and cyan on white.
public struct Theme: Hashable, Sendable {
    /// Titles and selected tabs.
    public var title = Style.bold
    /// Headers of columns.
    public var header: Style
    /// The selected row of a table or a list.
    public var selection = Style.inverse
    /// The line at the edge of the screen.
    public var statusBar = Style.inverse
    /// The style of a good state.
    public var good: Style
    /// The style of a state that may become a problem.
    public var warning: Style
    /// The style of a failure.
    public var bad: Style
    /// Charts and sparklines.
    public var accent: Style
    /// The style of parts that need not be read: axes, labels, hints.
    public var faint = Style.dim
    /// The lines around views.
    public var border = Style.dim

    /// For light text on a dark background.
    public static let dark = Theme(
        header: Style(.cyan, .bold), good: Style(.green), warning: Style(.yellow), bad: Style(.red, .bold), accent: Style(.cyan))

    /// For dark text on a light background.
    public static let light = Theme(
        header: Style(.palette(24), .bold), good: Style(.palette(22)), warning: Style(.palette(94)), bad: Style(.palette(124), .bold),
        accent: Style(.palette(24)), faint: Style(.palette(242)), border: Style(.palette(246)))

    /// Creates a theme.
    public init(
        title: Style = .bold, header: Style, selection: Style = .inverse, statusBar: Style = .inverse, good: Style, warning: Style,
        bad: Style, accent: Style, faint: Style = .dim, border: Style = .dim
    ) {
        self.title = title
        self.header = header
        self.selection = selection
        self.statusBar = statusBar
        self.good = good
        self.warning = warning
        self.bad = bad
        self.accent = accent
        self.faint = faint
        self.border = border
    }

    /// Chooses a theme by `COLORFGBG`, which some terminals set to `foreground;background`; the theme is dark without it.
    public init(environment: [String: String]) {
        let background = environment["COLORFGBG"]?.split(separator: ";").last.flatMap { Int($0) }
        self = background == 7 || (background ?? 0) > 8 ? .light : .dark
    }
}
