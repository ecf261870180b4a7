import TerminalViews

/// What a screen sends to a terminal with a palette: the difference of each frame to the one before.
public struct FrameEncoder {
    private var renderer = DifferenceRenderer(depth: .palette)

    public init() {}

    public mutating func encode(_ canvas: Canvas) -> [UInt8] {
        Array(renderer.render(canvas))
    }

    /// Has the next frame drawn as a whole.
    public mutating func invalidate() {
        renderer.invalidate()
    }
}
