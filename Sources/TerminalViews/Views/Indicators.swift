/// The progress of a task.
public final class ProgressBar: View {
    /// The progress, from 0 to 1; `nil` if it is indeterminate.
    public var progress: Double? { didSet { if progress != oldValue { setNeedsDisplay() } } }
    /// The style of the part that is done.
    public var style: Style { didSet { if style != oldValue { setNeedsDisplay() } } }

    /// Creates a bar.
    public init(progress: Double? = nil, style: Style = Style(.green)) {
        self.progress = progress
        self.style = style
        super.init()
        height = .fixed(1)
    }

    public override func draw(in canvas: inout Canvas) {
        let width = canvas.drawingSize.width - 5
        guard width > 0, let progress, progress.isFinite else {
            canvas.draw(String(repeating: "░", count: canvas.drawingSize.width), style: .dim)
            return
        }
        let part = min(max(progress, 0), 1)
        let eighths = Int((part * Double(width * 8)).rounded())
        let full = String(repeating: "█", count: eighths / 8)
        let rest = eighths % 8 == 0 ? "" : Self.eighths[eighths % 8 - 1]
        canvas.draw(String(repeating: "░", count: width), style: .dim)
        canvas.draw(full + rest, style: style)
        let percent = "\(Int((part * 100).rounded(.down)))%"
        canvas.draw(TerminalText.padded(percent, to: 5, alignment: .trailing), at: Point(x: width, y: 0))
    }

    private static let eighths = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}

/// An activity indicator. It does not animate on its own: bind ``step`` to a stream that ticks during the activity, so that an idle screen
/// does not redraw.
public final class Spinner: View {
    /// Whether there is activity; otherwise the view is blank.
    public var isSpinning = false { didSet { if isSpinning != oldValue { setNeedsDisplay() } } }
    /// The step of the animation; each number shows the next picture.
    public var step = 0 { didSet { if step != oldValue, isSpinning { setNeedsDisplay() } } }

    public override init() {
        super.init()
        width = .fixed(1)
        height = .fixed(1)
    }

    public override func draw(in canvas: inout Canvas) {
        guard isSpinning else { return }
        canvas.draw(String(Self.signs[((step % Self.signs.count) + Self.signs.count) % Self.signs.count]))
    }

    private static let signs = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
}

/// A line at the edge of the screen: leading and trailing text, and whether requests are in progress.
public final class StatusBar: View {
    /// The text at the left.
    public var leading: StyledText { didSet { if leading != oldValue { setNeedsDisplay() } } }
    /// The text at the right.
    public var trailing: StyledText { didSet { if trailing != oldValue { setNeedsDisplay() } } }
    /// Whether requests are in progress. Bind the load indicator of the network nodes to it: `indicator.isLoading.drive(bar.rx.isLoading)`.
    public var isLoading = false { didSet { if isLoading != oldValue { setNeedsDisplay() } } }
    /// The style of the line.
    public var style: Style { didSet { if style != oldValue { setNeedsDisplay() } } }

    /// Creates a bar.
    public init(leading: StyledText = "", trailing: StyledText = "", style: Style = .inverse) {
        self.leading = leading
        self.trailing = trailing
        self.style = style
        super.init()
        height = .fixed(1)
    }

    public override func draw(in canvas: inout Canvas) {
        let size = canvas.drawingSize
        canvas.fill(Rect(size: size), style: style)
        let right = (trailing + (isLoading ? " ●" : " ○")).clipped(to: size.width - 2)
        let left = leading.clipped(to: size.width - right.width - 3)
        canvas.draw(left, at: Point(x: 1, y: 0), over: style)
        canvas.draw(right, at: Point(x: size.width - 1 - right.width, y: 0), over: style)
    }
}
