/// A list that needs no memory for its first element: most subjects have one observer, and most contexts one listener and one source.
@usableFromInline struct ShortList<Element>: RandomAccessCollection, RangeReplaceableCollection, MutableCollection {
    @usableFromInline var first: Element?
    /// An empty array is an object too, which is retained for each copy.
    @usableFromInline var others: [Element]?

    @inlinable init() {}

    @inlinable var startIndex: Int { 0 }
    @inlinable var endIndex: Int { first == nil ? 0 : (others?.count ?? 0) + 1 }

    @inlinable subscript(index: Int) -> Element {
        get {
            // swift-format-ignore: NeverForceUnwrap
            guard index == 0, let first else { return others![index - 1] }
            return first
        }
        set { if index == 0 { first = newValue } else { others?[index - 1] = newValue } }
    }

    @inlinable mutating func append(_ element: Element) {
        if first == nil { first = element } else if others == nil { others = [element] } else { others?.append(element) }
    }

    @inlinable mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
        var all = Array(self)
        all.replaceSubrange(range, with: elements)
        first = all.first
        others = all.count > 1 ? Array(all.dropFirst()) : nil
    }

    @inlinable @discardableResult mutating func remove(at index: Int) -> Element {
        let removed = self[index]
        if index > 0 { others?.remove(at: index - 1) } else { first = others?.isEmpty == false ? others?.removeFirst() : nil }
        return removed
    }
}

extension ShortList: Sendable where Element: Sendable {}
