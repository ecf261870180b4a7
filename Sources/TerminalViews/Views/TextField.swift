/// A line of text to edit; see ``TextField/Input`` for its keys. Text longer than the view scrolls under the cursor, which is shown while
/// the field has the keys.
public final class TextField: View {
    /// The text and its cursor.
    public var input: Input {
        didSet {
            guard input != oldValue else { return }
            if input.text != oldValue.text { textRelay.accept(input.text) }
            setNeedsDisplay()
        }
    }
    /// The text before the input.
    public var prompt: StyledText { didSet { if prompt != oldValue { setNeedsDisplay() } } }
    /// The text that is shown while the input is empty.
    public var placeholder: StyledText { didSet { if placeholder != oldValue { setNeedsDisplay() } } }
    /// The style of the text.
    public var style = Style.plain { didSet { if style != oldValue { setNeedsDisplay() } } }
    /// Emits the text, starting with the current one.
    public var text: Observable<String> { textRelay.asObservable() }

    private let textRelay: BehaviorRelay<String>

    /// Creates a field.
    public init(_ input: Input = Input(), prompt: StyledText = "", placeholder: StyledText = "") {
        self.input = input
        self.prompt = prompt
        self.placeholder = placeholder
        textRelay = BehaviorRelay(value: input.text)
        super.init()
        canBecomeFocused = true
        height = .fixed(1)
    }

    /// Edits the text, or places the cursor at a click.
    /// - Returns: whether the key edits the text.
    @discardableResult
    public override func handle(_ key: Key) -> Bool {
        input.handle(key)
    }

    public override func draw(in canvas: inout Canvas) {
        let start = canvas.draw(prompt)
        let room = canvas.drawingSize.width - start
        guard room > 0 else { return }
        let isEmpty = input.text.isEmpty
        canvas.draw(inside: Rect(x: start, y: 0, width: room, height: 1)) { canvas in
            let before = TerminalText.width(of: String(input.text.prefix(input.cursor)))
            // The cursor and one column after it stay visible.
            let offset = min(0, room - 1 - before)
            if isEmpty { canvas.draw(placeholder.clipped(to: room - 1), at: Point(x: 1, y: 0), over: .dim) }
            canvas.draw(input.text, at: Point(x: offset, y: 0), style: style)
            guard isFocused else { return }
            let under = input.text.dropFirst(input.cursor).first.map(String.init) ?? " "
            canvas.draw(under, at: Point(x: offset + before, y: 0), style: style.with(.inverse))
        }
    }
}
