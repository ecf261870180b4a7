/// Views beside or below each other, which share the space by their ``View/Length``s.
public final class Stack: View {
    /// The direction in which views follow each other.
    public enum Axis: Sendable {
        /// From left to right.
        case horizontal
        /// From top to bottom.
        case vertical
    }

    /// The direction in which the views follow each other.
    public var axis: Axis { didSet { if axis != oldValue { setNeedsDisplay() } } }
    /// The number of empty cells between two views.
    public let spacing: Int

    /// Creates a stack of these views.
    public init(_ axis: Axis, spacing: Int = 0, _ views: [View]) {
        self.axis = axis
        self.spacing = spacing
        super.init()
        subviews = views
    }

    private var visible: [View] { subviews.filter { !$0.isHidden } }

    public override func fittingSize(in available: Size) -> Size {
        let sizes = visible.map { $0.fittingSize(in: available) }
        let gaps = max(0, sizes.count - 1) * spacing
        let widths = sizes.map(\.width)
        let heights = sizes.map(\.height)
        return switch axis {
        case .horizontal: Size(width: widths.reduce(gaps, +), height: heights.max() ?? 0)
        case .vertical: Size(width: widths.max() ?? 0, height: heights.reduce(gaps, +))
        }
    }

    public override func layout(in size: Size) {
        let views = visible
        let isVertical = axis == .vertical
        let lengths = View.Length.distribute(
            views.map { isVertical ? $0.height : $0.width },
            fitting: views.map { isVertical ? $0.fittingSize(in: size).height : $0.fittingSize(in: size).width },
            available: isVertical ? size.height : size.width,
            spacing: spacing
        )
        var offset = 0
        for (view, length) in zip(views, lengths) {
            let frame =
                isVertical
                ? Rect(x: 0, y: offset, width: size.width, height: length) : Rect(x: offset, y: 0, width: length, height: size.height)
            view.place(frame)
            offset += length + spacing
        }
    }
}

/// Views on top of each other, the last one in front: for a dialog over a screen.
public final class Layers: View {
    /// Creates layers, the first at the bottom.
    public init(_ views: [View]) {
        super.init()
        subviews = views
    }
}

/// A view centered in the available space, at its own size, on a cleared background.
public final class Centered: View {
    private let content: View

    /// Creates a view around `content`.
    public init(_ content: View) {
        self.content = content
        super.init()
        subviews = [content]
    }

    public override func layout(in size: Size) {
        let wanted = content.fittingSize(in: size)
        let width = min(wanted.width, size.width)
        let height = min(wanted.height, size.height)
        content.place(Rect(x: (size.width - width) / 2, y: (size.height - height) / 2, width: width, height: height))
    }

    public override func draw(in canvas: inout Canvas) {
        canvas.fill(content.frame, style: .plain)
    }
}
