/// A list that needs no memory for its first element: most subjects have one observer, and most contexts one listener and one source.
@usableFromInline struct ShortList<Element>: RandomAccessCollection, RangeReplaceableCollection, MutableCollection {
    @usableFromInline var first: Element?
    @usableFromInline var others: [Element] = []

    @inlinable init() {}

    @inlinable var startIndex: Int { 0 }
    @inlinable var endIndex: Int { first == nil ? 0 : others.count + 1 }

    @inlinable subscript(index: Int) -> Element {
        get {
            guard index == 0, let first else { return others[index - 1] }
            return first
        }
        set { if index == 0 { first = newValue } else { others[index - 1] = newValue } }
    }

    @inlinable mutating func append(_ element: Element) {
        if first == nil { first = element } else { others.append(element) }
    }

    @inlinable mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
        var all = Array(self)
        all.replaceSubrange(range, with: elements)
        first = all.first
        others = Array(all.dropFirst())
    }

    @inlinable @discardableResult mutating func remove(at index: Int) -> Element {
        guard index == 0, let removed = first else { return others.remove(at: index - 1) }
        first = others.isEmpty ? nil : others.removeFirst()
        return removed
    }
}

extension ShortList: Sendable where Element: Sendable {}
