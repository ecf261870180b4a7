import Streams

/// The elements of a simulation, for expectations behind it.
final class RecordedElements<Element: Sendable>: Sendable {
    private let recorded = Lock<[Element]>([])

    var elements: [Element] { recorded.withLock { $0 } }

    func append(_ element: Element) { recorded.withLock { $0.append(element) } }

    /// A run is repeated: what the first has recorded is forgotten.
    func removeAll() { recorded.withLock { $0 = [] } }
}
