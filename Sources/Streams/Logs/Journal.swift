import Schedulers
import Synchronization

/// The log of one context: its own messages, those of its operation's nodes, and the logs of the contexts that it was derived from.
///
/// It references upstream logs only, so there is no cycle, and a log may outlive its context.
@usableFromInline final class Journal: Sendable {
    enum Part {
        case own(OperationLog.Chain)
        case notes(LogJournal)
        /// The log of a context that the operation is subscribed to.
        case link(any AnyContextLink)
        /// The log of an upstream operation that has terminated.
        case upstream(Journal)

        func isLink(_ link: any AnyContextLink) -> Bool {
            if case .link(let other) = self { other === link } else { false }
        }

        var isUpstream: Bool {
            if case .upstream = self { true } else { false }
        }
    }

    /// The number of terminated operations whose logs a context stores: a context that runs operations indefinitely must not grow.
    private static let limit = 100

    private struct State {
        var parts = ShortList<Part>()
        /// The number of messages that were written by `log(_:)`, and of those that were discarded.
        var (written, omitted) = (0, 0)
    }

    private let state: Lock<State>
    private let mark = Resources.Mark("Journal")

    /// Creates the log of a context that is subscribed to others.
    init(_ links: ShortList<any AnyContextLink>) {
        var state = State()
        for link in links { state.parts.append(.link(link)) }
        self.state = Lock(state)
    }

    /// All messages of a context as one log; `nil` if there are none.
    @usableFromInline static func chain(of context: any AnyContext) -> OperationLog.Chain? {
        let messages = messages(of: context)
        return messages.isEmpty ? nil : OperationLog.Chain(messages)
    }

    /// All messages of a context in order; a log that is reached on several paths is included once, at its first position.
    private static func messages(of context: any AnyContext) -> [String] {
        var messages: [String] = []
        var visited: Set<ObjectIdentifier> = []
        // A stack in place of a recursion: if operations transform the result of the next, they nest as deep as there are operations.
        var rest: [Part] = []
        visit(context, &visited, &rest)
        while let part = rest.popLast() {
            switch part {
            case .own(let chain): messages += chain.messages
            case .notes(let notes): messages += notes.descriptions
            case .link(let link): visit(link.anySource, &visited, &rest)
            case .upstream(let journal): journal.visit(&visited, &rest)
            }
        }
        return messages
    }

    /// Adds what the log of a context consists of, in reverse, unless the context was visited.
    private static func visit(_ context: any AnyContext, _ visited: inout Set<ObjectIdentifier>, _ rest: inout [Part]) {
        if let journal = context.existingJournal { return journal.visit(&visited, &rest) }
        guard visited.insert(ObjectIdentifier(context)).inserted else { return }
        let links = context.links
        for index in links.indices.reversed() { rest.append(.link(links[index])) }
    }

    private func visit(_ visited: inout Set<ObjectIdentifier>, _ rest: inout [Part]) {
        guard visited.insert(ObjectIdentifier(self)).inserted else { return }
        if rest.isEmpty { rest = reversedParts } else { rest += reversedParts }
    }

    deinit {
        // The logs upstream are released in a loop, however deeply they are nested.
        guard !parts.isEmpty else { return }
        var rest = takeParts()
        while let part = rest.popLast() {
            guard case .upstream(var journal) = consume part, isKnownUniquelyReferenced(&journal) else { continue }
            rest += journal.takeParts()
        }
    }

    func add(_ chain: OperationLog.Chain) {
        state.withLock { state in
            let kept = chain.messages.prefix(LogJournal.limit - state.written)
            state.written += kept.count
            state.omitted += chain.messages.count - kept.count
            if !kept.isEmpty { state.parts.append(.own(OperationLog.Chain(Array(kept)))) }
        }
    }

    func add(_ link: any AnyContextLink) {
        state.withLock { $0.parts.append(.link(link)) }
    }

    func replace(_ replaced: any AnyContextLink, by link: any AnyContextLink) {
        state.withLock { state in
            guard let index = state.parts.firstIndex(where: { $0.isLink(replaced) }) else { return }
            state.parts[index] = .link(link)
        }
    }

    /// The value in the scope of a subscription through which its nodes write to this log.
    @usableFromInline func makeScope() -> Scope {
        let notes = LogJournal()
        state.withLock { $0.parts.append(.notes(notes)) }
        return Scope().setting(OperationLog.Notes.Key.self, to: notes)
    }

    /// Stores the log of a terminated upstream operation in the place of its link. Returns the oldest of such logs if there are too many,
    /// which is removed, to be released outside of a lock (law 3).
    func settle(_ link: any AnyContextLink, keeping log: Journal?) -> Part? {
        state.withLock { state in
            guard let index = state.parts.firstIndex(where: { $0.isLink(link) }) else { return nil }
            guard let log else { return state.parts.remove(at: index) }
            state.parts[index] = .upstream(log)
            guard state.parts.count(where: \.isUpstream) > Self.limit else { return nil }
            return state.parts.firstIndex(where: \.isUpstream).map { state.parts.remove(at: $0) }
        }
    }

    var isEmpty: Bool {
        parts.allSatisfy { part in
            if case .notes(let notes) = part { notes.isEmpty } else { false }
        }
    }

    private var parts: ShortList<Part> {
        state.withLock { $0.parts }
    }

    /// The parts from the last to the first, after the number of discarded messages.
    private var reversedParts: [Part] {
        let (parts, omitted) = state.withLock { ($0.parts, $0.omitted) }
        return (omitted > 0 ? [.own(OperationLog.Chain(["(\(omitted) messages more)"]))] : []) + parts.reversed()
    }

    private func takeParts() -> [Part] {
        state.withLock { state in
            let parts = state.parts
            state.parts = ShortList()
            return Array(parts)
        }
    }
}

/// The messages of one operation.
final class LogJournal: Sendable {
    private struct State {
        var messages: [OperationLog.Message] = []
        var omitted = 0
        var isClosed = false
    }

    /// Bounds the memory of an operation that never terminates.
    static let limit = 1_000

    private let filter: OperationLog.Filter?
    /// The log of the enclosing operation, which receives every message, even one that the filter excludes here.
    private let outer: LogJournal?
    private let start = ContinuousClock.now
    private let state = Lock(State())
    private let delivering = Atomic(false)

    /// - Parameter filter: the messages that are kept; `nil` keeps all.
    init(_ filter: OperationLog.Filter? = nil, outer: LogJournal? = nil) {
        self.filter = filter
        self.outer = outer
    }

    func note(_ level: OperationLog.Level, _ node: String, _ text: () -> String) {
        guard filter?.passes(node, level) ?? true else {
            outer?.note(level, node, text)
            return
        }
        let text = text().controlsEscaped
        append(OperationLog.Message(node: node, level: level, text: text, time: ContinuousClock.now - start))
        outer?.note(level, node) { text }
    }

    var isEmpty: Bool {
        state.withLock { $0.messages.isEmpty }
    }

    /// The messages so far as text, and the number of those that were discarded.
    var descriptions: [String] {
        let (messages, omitted) = state.withLock { ($0.messages, $0.omitted) }
        return messages.map(\.description) + (omitted > 0 ? ["(\(omitted) messages more)"] : [])
    }

    /// Whether the operation's observer is handling an element. One that disposes then, as that of `first()` does, has what it wanted.
    var isDelivering: Bool {
        get { delivering.load(ordering: .acquiring) }
        set { delivering.store(newValue, ordering: .releasing) }
    }

    /// Returns all messages to the first caller; later messages are discarded.
    func close() -> (messages: [OperationLog.Message], omitted: Int, duration: Duration)? {
        let duration = ContinuousClock.now - start
        return state.withLock { state in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            defer { state.messages = [] }
            return (state.messages, state.omitted, duration)
        }
    }

    private func append(_ message: OperationLog.Message) {
        state.withLock { state in
            guard !state.isClosed else { return }
            if state.messages.count < Self.limit { state.messages.append(message) } else { state.omitted += 1 }
        }
    }
}
