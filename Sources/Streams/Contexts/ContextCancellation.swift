import Schedulers

/// A context, independent of its model.
@usableFromInline protocol AnyContext: AnyObject, Sendable {
    /// The contexts that have to end before the operation emits nothing more; `nil` if their end is not enough.
    var awaited: [any AnyContext]? { get }
    var hasOutcome: Bool { get }
    /// The subscriptions of the operation to other contexts.
    var links: ShortList<any AnyContextLink> { get }
    /// The log; `nil` if nothing was written to it.
    var existingJournal: Journal? { get }
    /// The log for the contexts that were derived from this one; `nil` if nothing was written to it or upstream.
    var journalToKeep: Journal? { get }

    /// Adds a link. It replaces a link to the same context, which it returns.
    func add(_ link: any AnyContextLink) -> (any AnyContextLink)?
    /// Removes a link, and keeps the log of its source or drops it.
    func remove(_ link: any AnyContextLink, keepingLog: Bool)

    /// Records the cancellation, and disposes the operation.
    func end(cancelling: Bool)
}

extension AnyContext {
    /// Whether the operation will emit nothing more.
    var hasEnded: Bool { Cancellation().pathToRunning(from: self) == nil }

    /// Cancels the operation, unless it has ended. A context upstream that was asked is not asked again.
    @usableFromInline func cancel(in cancellation: Cancellation) {
        guard let path = cancellation.pathToRunning(from: self) else { return }
        cancellation.note(path)
        cancellation.run { end(cancelling: true) }
    }
}

/// The knowledge of one cancellation, on its way upstream, about the contexts that it reaches.
///
/// A context has ended when everything upstream has. Asked anew at each level, a chain would cost the square of its length.
@usableFromInline final class Cancellation: Sendable {
    private static let thread = ThreadReference<Cancellation>()
    /// The contexts that had not ended when the cancellation began. They are retained, so that no other one has their identifier.
    private let running = Lock<[ObjectIdentifier: any AnyContext]>([:])
    #if DEBUG
        /// The number of contexts that were asked.
        let asked = SerialState(0)
    #endif

    @usableFromInline init() {}

    /// The cancellation that runs on this thread.
    static var current: Cancellation? { thread.current }

    func run(_ action: () -> Void) {
        Self.thread.with(self, action)
    }

    func note(_ contexts: [any AnyContext]) {
        running.withLock { running in
            for context in contexts { running[ObjectIdentifier(context)] = context }
        }
    }

    /// Returns the contexts from `context` upstream to one that may still emit by itself, or that is known not to have ended: none of them
    /// has. Returns `nil` if there is no such context.
    func pathToRunning(from context: any AnyContext) -> [any AnyContext]? {
        var path: [any AnyContext] = []
        /// The contexts upstream of each one in the path that have not been visited.
        var rest: [[any AnyContext]] = []
        var seen: Set<ObjectIdentifier> = []
        var next: (any AnyContext)? = context
        while let context = next.take() {
            if seen.insert(ObjectIdentifier(context)).inserted {
                path.append(context)
                guard let awaited = awaited(by: context) else { return path }
                rest.append(awaited)
            }
            while rest.last?.isEmpty == true {
                rest.removeLast()
                path.removeLast()
            }
            if !rest.isEmpty { next = rest[rest.count - 1].removeLast() }
        }
        return nil
    }

    /// A context that is known not to have ended may have done so by itself meanwhile, but is not asked about those upstream.
    private func awaited(by context: any AnyContext) -> [any AnyContext]? {
        #if DEBUG
            asked.value += 1
        #endif
        let isKnown = running.withLock { $0[ObjectIdentifier(context)] } != nil
        guard let awaited = context.awaited, !isKnown || awaited.isEmpty else { return nil }
        return awaited
    }
}
