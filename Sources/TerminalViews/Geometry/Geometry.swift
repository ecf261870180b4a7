/// A position on a grid of cells, relative to the top left corner.
public struct Point: Hashable, Sendable {
    /// The column.
    public var x: Int
    /// The row.
    public var y: Int

    /// Creates a position.
    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    /// The top left corner.
    public static let zero = Point(x: 0, y: 0)
}

/// A size in cells. Never negative: negative values become 0.
public struct Size: Hashable, Sendable {
    /// Columns.
    public let width: Int
    /// Rows.
    public let height: Int

    /// Creates a size.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// No column and no row.
    public static let zero = Size(width: 0, height: 0)

    /// The part of the size that is drawn at most: a terminal can report any size (65,535 x 65,535).
    var drawable: Size { Size(width: min(width, 1000), height: min(height, 500)) }
}

/// A rectangle of cells.
public struct Rect: Hashable, Sendable {
    /// The top left corner.
    public var origin: Point
    /// Columns and rows.
    public var size: Size

    /// Creates a rectangle.
    public init(origin: Point = .zero, size: Size) {
        self.origin = origin
        self.size = size
    }

    /// Creates a rectangle.
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    /// The first column.
    public var left: Int { origin.x }
    /// The first row.
    public var top: Int { origin.y }
    /// The first column to the right of the rectangle.
    public var right: Int { origin.x + size.width }
    /// The first row below the rectangle.
    public var bottom: Int { origin.y + size.height }
    /// Whether it contains no cell.
    public var isEmpty: Bool { size.width == 0 || size.height == 0 }

    /// Returns the intersection of both rectangles; empty if they do not intersect.
    func intersection(_ other: Rect) -> Rect {
        let left = max(left, other.left)
        let top = max(top, other.top)
        return Rect(x: left, y: top, width: min(right, other.right) - left, height: min(bottom, other.bottom) - top)
    }
}
