import NetNodes

/// The elements that have not been sent yet, as many as a policy allows.
struct WaitingElements<Element: Sendable> {
    private var elements: BufferedEvents<Element>
    /// Whether it was announced that there are some: once is enough, however many follow.
    var isAnnounced = false

    init(_ policy: BufferingPolicy) {
        elements = BufferedEvents(policy)
    }

    var isEmpty: Bool { elements.isEmpty }

    /// - Returns: what happened to the element, and whether this has to be announced.
    mutating func append(_ element: Element) -> (BufferedEvents<Element>.Outcome, mustAnnounce: Bool) {
        let outcome = elements.append(.next(element))
        defer { isAnnounced = true }
        return (outcome, !isAnnounced)
    }

    mutating func popFirst() -> Element? { elements.popFirst() }
}
