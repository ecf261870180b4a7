import TerminalViews

/// Encodes the output of a screen for a terminal with a palette: the difference of each frame to the previous one.
public struct FrameEncoder {
    private var renderer = DifferenceRenderer(depth: .palette)

    public init() {}

    public mutating func encode(_ canvas: Canvas) -> [UInt8] {
        Array(renderer.render(canvas))
    }

    /// Makes the next frame be drawn completely.
    public mutating func invalidate() {
        renderer.invalidate()
    }
}
