/// The messages of a `store(in:)` that are not acknowledged, in order, and which of them are sent when.
///
/// A message that fails is sent again, and with it all behind it, once every other message that is on its way has been answered: so a
/// message is never stored before the one that it follows. Messages carry ids, with which the server recognizes those that it has.
struct PublishWindow<Element: Sendable>: Sendable {
    /// One message to send.
    struct Send: Sendable {
        let number: Int
        let element: Element
        /// The message that must be the last one stored; `nil` for the first of a round.
        let predecessor: Int?
    }

    private enum Progress: Sendable {
        case waiting, sent
        case stored(PublishAcknowledgement)
    }

    private struct Entry: Sendable {
        let element: Element
        var progress = Progress.waiting
    }

    let capacity: Int
    private var entries: [Entry] = []
    private var head = 0
    /// The number of the entry at `head`.
    private var first = 0
    private var inFlight = 0
    private var nextToSend = 0
    /// Whether nothing is sent before everything on its way has been answered.
    private(set) var isRecovering = false
    private var isFirstOfRound = true

    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    var isEmpty: Bool { head == entries.count }

    mutating func append(_ element: Element) {
        entries.append(Entry(element: element))
    }

    /// What can be sent now.
    mutating func nextSend() -> Send? {
        guard !isRecovering, inFlight < capacity else { return nil }
        while true {
            let index = head + nextToSend - first
            guard index < entries.count else { return nil }
            guard case .waiting = entries[index].progress else {
                nextToSend += 1
                continue
            }
            entries[index].progress = .sent
            inFlight += 1
            defer {
                nextToSend += 1
                isFirstOfRound = false
            }
            return Send(number: nextToSend, element: entries[index].element, predecessor: isFirstOfRound ? nil : nextToSend - 1)
        }
    }

    /// - Returns: the acknowledgements that can be passed on, in order.
    mutating func didStore(_ number: Int, _ acknowledgement: PublishAcknowledgement) -> [PublishAcknowledgement] {
        guard let index = index(of: number) else { return [] }
        inFlight -= 1
        entries[index].progress = .stored(acknowledgement)
        var ready: [PublishAcknowledgement] = []
        while head < entries.count, case .stored(let acknowledgement) = entries[head].progress {
            ready.append(acknowledgement)
            head += 1
            first += 1
        }
        if head > 1_024, head * 2 > entries.count {
            entries.removeFirst(head)
            head = 0
        }
        return ready
    }

    /// A message was not acknowledged: it and those behind it are sent again when `resume` is called.
    mutating func didFail(_ number: Int) {
        guard let index = index(of: number) else { return }
        inFlight -= 1
        entries[index].progress = .waiting
        isRecovering = true
    }

    /// Whether everything on its way has been answered, so that the next round may begin.
    var isSettled: Bool { isRecovering && inFlight == 0 }

    mutating func resume() {
        isRecovering = false
        isFirstOfRound = true
        nextToSend = first
    }

    private func index(of number: Int) -> Int? {
        let index = head + number - first
        guard index >= head, index < entries.count, case .sent = entries[index].progress else { return nil }
        return index
    }
}
