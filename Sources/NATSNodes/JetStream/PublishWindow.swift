import SocketNodes

/// The messages of a `store(in:)` that are not acknowledged, in order, and which of them are sent when.
///
/// A message that fails is sent again, with all messages after it, once every other pending message has been answered: so a
/// message is never stored before the one that it follows. Messages carry ids, with which the server recognizes those that it has.
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
        /// The element is released as soon as it is acknowledged, also while the acknowledgement of one before it is missing.
        case stored(PublishAcknowledgement)
    }

    let capacity: Int
    /// By their numbers, from `first` to `end`.
    private var entries: [Int: Entry] = [:]
    /// The number of the oldest message whose acknowledgement was not passed on.
    private(set) var first = 0
    /// The number of the next message.
    private var end = 0
    private var inFlight = 0
    private var nextToSend = 0
    /// Whether nothing is sent before everything on its way has been answered.
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

    /// What can be sent now: what has to be sent again, and then what `next` returns, which is asked for no more than can be sent.
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
    mutating func didStore(_ number: Int, _ acknowledgement: PublishAcknowledgement) -> [PublishAcknowledgement] {
        guard case .sent? = entries[number] else { return [] }
        inFlight -= 1
        entries[number] = .stored(acknowledgement)
        var ready: [PublishAcknowledgement] = []
        while case .stored(let acknowledgement)? = entries[first] {
            entries[first] = nil
            ready.append(acknowledgement)
            first += 1
        }
        return ready
    }

    /// A message was not acknowledged: it and those behind it are sent again when `resume` is called.
    mutating func didFail(_ number: Int) {
        guard case .sent(let element)? = entries[number] else { return }
        inFlight -= 1
        entries[number] = .waiting(element)
        isRecovering = true
    }

    /// Whether everything on its way has been answered, so that the next round may begin.
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
    /// Whether it was announced that there are some: once is enough, however many follow.
    var isAnnounced = false

    init(_ policy: BufferingPolicy, suspending gate: Gate) {
        elements = GatedBuffer(policy, suspending: gate)
    }

    var isEmpty: Bool { elements.isEmpty }

    /// - Returns: what happened to the element, and whether this has to be announced.
    mutating func append(_ element: Element) -> (GatedBuffer<Element>.Effect, mustAnnounce: Bool) {
        defer { isAnnounced = true }
        return (elements.append(.next(element)), !isAnnounced)
    }

    mutating func popFirst() -> (Element?, GatedBuffer<Element>.Effect) {
        (elements.popFirst(), elements.open())
    }
}
