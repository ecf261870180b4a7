/// A title that is pressed with Enter, the space bar or a click.
public final class Button: View {
    /// The title.
    public var title: StyledText { didSet { if title != oldValue { setNeedsDisplay() } } }
    /// Whether the button can be pressed, and have the keys.
    public var isEnabled = true {
        didSet {
            guard isEnabled != oldValue else { return }
            canBecomeFocused = isEnabled
            setNeedsDisplay()
        }
    }
    /// The style while the button has the keys.
    public var focusedStyle = Style.inverse { didSet { if focusedStyle != oldValue { setNeedsDisplay() } } }
    /// Emits each press.
    public var presses: Observable<Void> { pressRelay.asObservable() }

    private let pressRelay = PublishRelay<Void>()

    /// Creates a button.
    public init(_ title: StyledText) {
        self.title = title
        super.init()
        canBecomeFocused = true
        width = .fit
        height = .fixed(1)
    }

    /// Takes Enter, the space bar and a click on the button.
    /// - Returns: whether the key was one of these, and the button is enabled.
    @discardableResult
    public override func handle(_ key: Key) -> Bool {
        let isClick = key.mouse.map { $0.action == .press(.left) && position(of: $0.position) != nil } ?? false
        guard isEnabled, isClick || key == .enter || key == .character(" ") else { return false }
        pressRelay.accept(())
        return true
    }

    public override func fittingSize(in available: Size) -> Size {
        Size(width: title.width + Self.edges, height: 1)
    }

    public override func draw(in canvas: inout Canvas) {
        let room = canvas.drawingSize.width
        let shown = StyledText("[ ") + title.clipped(to: room - Self.edges) + " ]"
        canvas.draw(shown.clipped(to: room), over: !isEnabled ? .dim : isFocused ? focusedStyle : .plain)
    }

    /// The columns of the brackets.
    private static let edges = 4
}
