/// The visible part of a long list, and its scrolling.
struct ListWindow: Hashable, Sendable {
    private(set) var top = 0

    /// Scrolls by the minimum that makes `selected` visible.
    mutating func follow(_ selected: Int?, count: Int, height: Int) {
        if let selected {
            if selected < top { top = selected }
            if selected >= top + height { top = selected - height + 1 }
        }
        top = min(max(top, 0), max(0, count - height))
    }

    /// Shows the rows from `top` on, as far as there are so many.
    mutating func show(_ top: Int, count: Int, height: Int) {
        self.top = top
        follow(nil, count: count, height: height)
    }

    /// Returns the selection after that key; `nil` for a key that does not move it.
    static func move(_ selected: Int?, by key: Key, count: Int, page: Int) -> Int? {
        let page = max(1, page - 1)
        let current = selected ?? -1
        let target: Int
        switch key.code {
        case .up: target = current - 1
        case .down: target = current + 1
        case .pageUp: target = current - page
        case .pageDown: target = current + page
        case .home: target = 0
        case .end: target = count - 1
        case .mouse(let mouse) where mouse.action == .wheelUp: target = current - 1
        case .mouse(let mouse) where mouse.action == .wheelDown: target = current + 1
        default: return nil
        }
        return min(max(target, 0), count - 1)
    }

    /// Returns the rows that the thumb of a scroll bar covers; `nil` if everything is visible.
    func thumb(count: Int, height: Int) -> Range<Int>? {
        guard count > height, height > 0 else { return nil }
        let length = max(1, height * height / count)
        let start = top * (height - length) / max(1, count - height)
        return start..<start + length
    }
}
