import SocketNodes

/// The messages of a `store(in:)` that are not acknowledged, in order. It decides which of them are sent when.
///
/// A message that fails is sent again, with all messages after it, once every other pending message has been answered. So no message is
/// stored before its predecessor. Messages carry ids, by which the server recognizes those that it has.
struct PublishWindow<Element: Sendable>: Sendable {
    /// One message to send.
    struct Send: Sendable {
        let number: Int
        let element: Element
        /// The message that must be the last one stored; `nil` for the first of a round.
        let predecessor: Int?
    }

    private enum Entry: Sendable {
        case waiting(Element), sent(Element)
        /// The element is released as soon as it is acknowledged, even while the acknowledgement of an earlier one is missing.
        case stored(NATSStream.Acknowledgement)
    }

    let capacity: Int
    /// The messages by their numbers, from `first` to `end`.
    private var entries: [Int: Entry] = [:]
    /// The number of the oldest message whose acknowledgement was not passed on.
    private(set) var first = 0
    /// The number of the next message.
    private var end = 0
    private var inFlight = 0
    private var nextToSend = 0
    /// Whether nothing is sent until every message on its way has been answered.
    private(set) var isRecovering = false
    private var isFirstOfRound = true

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    var isEmpty: Bool { first == end }

    mutating func append(_ element: Element) {
        entries[end] = .waiting(element)
        end += 1
    }

    /// Returns the message to send now: first those that have to be sent again, then the results of `next`, which is called only when there
    /// is room.
    mutating func nextSend(from next: () -> Element? = { nil }) -> Send? {
        guard !isRecovering, inFlight < capacity else { return nil }
        while nextToSend < end {
            defer { nextToSend += 1 }
            if case .waiting(let element)? = entries[nextToSend] { return send(element) }
        }
        guard let element = next() else { return nil }
        append(element)
        defer { nextToSend += 1 }
        return send(element)
    }

    private mutating func send(_ element: Element) -> Send {
        entries[nextToSend] = .sent(element)
        inFlight += 1
        defer { isFirstOfRound = false }
        return Send(number: nextToSend, element: element, predecessor: isFirstOfRound ? nil : nextToSend - 1)
    }

    /// - Returns: the acknowledgements that can be passed on, in order.
    mutating func didStore(_ number: Int, _ acknowledgement: NATSStream.Acknowledgement) -> [NATSStream.Acknowledgement] {
        guard case .sent? = entries[number] else { return [] }
        inFlight -= 1
        entries[number] = .stored(acknowledgement)
        var ready: [NATSStream.Acknowledgement] = []
        while case .stored(let acknowledgement)? = entries[first] {
            entries[first] = nil
            ready.append(acknowledgement)
            first += 1
        }
        return ready
    }

    /// Notes that a message was not acknowledged: it and all messages after it are sent again when `resume` is called.
    mutating func didFail(_ number: Int) {
        guard case .sent(let element)? = entries[number] else { return }
        inFlight -= 1
        entries[number] = .waiting(element)
        isRecovering = true
    }

    /// Whether every message on its way has been answered, so that the next round may begin.
    var isSettled: Bool { isRecovering && inFlight == 0 }

    mutating func resume() {
        isRecovering = false
        isFirstOfRound = true
        nextToSend = first
    }
}

/// The elements that have not been sent yet, as many as a policy allows.
struct WaitingElements<Element: Sendable> {
    private var elements: GatedBuffer<Element>
    /// Whether waiting elements were announced: once is enough, however many follow.
    var isAnnounced = false

    init(_ policy: BufferingPolicy, suspending gate: Gate) {
        elements = GatedBuffer(policy, suspending: gate)
    }

    var isEmpty: Bool { elements.isEmpty }

    /// - Returns: the effect on the buffer, and whether waiting elements have to be announced.
    mutating func append(_ element: Element) -> (GatedBuffer<Element>.Effect, mustAnnounce: Bool) {
        defer { isAnnounced = true }
        return (elements.append(.next(element)), !isAnnounced)
    }

    mutating func popFirst() -> (Element?, GatedBuffer<Element>.Effect) {
        (elements.popFirst(), elements.open())
    }
}
