/// Elements in the order of their arrival, each of which can be removed by its ticket. Complexity: O(1) for each operation, amortized.
package struct TicketQueue<Element> {
    private var waiting: [Int: Element] = [:]
    private var first = 0
    private var end = 0

    package init() {}

    package var count: Int { waiting.count }

    package var isEmpty: Bool { waiting.isEmpty }

    /// All elements, in no particular order.
    package var elements: some Collection<Element> { waiting.values }

    /// Adds an element, and returns its ticket.
    package mutating func append(_ element: Element) -> Int {
        waiting[end] = element
        end += 1
        return end - 1
    }

    /// Removes the oldest element.
    package mutating func popFirst() -> Element? {
        while first < end {
            defer { first += 1 }
            if let element = waiting.removeValue(forKey: first) { return element }
        }
        return nil
    }

    /// Removes the element with this ticket; returns `nil` if it has been removed already.
    package mutating func remove(ticket: Int) -> Element? {
        waiting.removeValue(forKey: ticket)
    }
}
