/// How much of something is done.
public final class ProgressBar: View {
    /// From 0 to 1; nil where the end is not known.
    public var progress: Double? { didSet { if progress != oldValue { setNeedsDisplay() } } }
    public var style: Style { didSet { if style != oldValue { setNeedsDisplay() } } }

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

/// A sign that turns while something is going on. It does not turn by itself: bind ``step`` to a stream that ticks meanwhile, and the
/// screen sleeps when nothing is going on.
public final class Spinner: View {
    public var isSpinning = false { didSet { if isSpinning != oldValue { setNeedsDisplay() } } }
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

/// The line at the edge of the screen: something at its left, something at its right, and whether requests are on their way.
public final class StatusBar: View {
    public var leading: StyledText { didSet { if leading != oldValue { setNeedsDisplay() } } }
    public var trailing: StyledText { didSet { if trailing != oldValue { setNeedsDisplay() } } }
    /// Bind the load indicator of the network nodes to it: `indicator.isLoading.drive(bar.rx.isLoading)`.
    public var isLoading = false { didSet { if isLoading != oldValue { setNeedsDisplay() } } }
    public var style: Style { didSet { if style != oldValue { setNeedsDisplay() } } }

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
