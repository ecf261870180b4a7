/// A position on a grid of cells, relative to the top left corner.
public struct Point: Hashable, Sendable {
    public var x: Int
    public var y: Int

    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    public static let zero = Point(x: 0, y: 0)
}

/// A size in cells. Never negative: negative values become 0.
public struct Size: Hashable, Sendable {
    public let width: Int
    public let height: Int

    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }

    public static let zero = Size(width: 0, height: 0)
}

/// A rectangle of cells.
public struct Rect: Hashable, Sendable {
    public var origin: Point
    public var size: Size

    public init(origin: Point = .zero, size: Size) {
        self.origin = origin
        self.size = size
    }

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    public var left: Int { origin.x }
    public var top: Int { origin.y }
    /// The first column to the right of the rectangle.
    public var right: Int { origin.x + size.width }
    /// The first row below the rectangle.
    public var bottom: Int { origin.y + size.height }
    public var isEmpty: Bool { size.width == 0 || size.height == 0 }

    /// Returns the intersection of both rectangles; empty if they do not intersect.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(left, other.left)
        let top = max(top, other.top)
        return Rect(x: left, y: top, width: min(right, other.right) - left, height: min(bottom, other.bottom) - top)
    }
}
