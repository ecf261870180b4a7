import Schedulers

/// The state of the events that a replaying core has accepted. It is not generic, so destroying the core requires no type metadata from the
/// runtime.
@usableFromInline
struct Acceptance {
    /// The number of accepted events.
    @usableFromInline var version: UInt64 = 0
    /// The version of the stored element. An update that has not been applied has a version after this one, up to `version`.
    @usableFromInline var heldVersion: UInt64 = 0
    @usableFromInline var isStopped = false

    @inlinable
    init() {}
}

/// A subject's core that also stores elements for later subscribers.
///
/// The stored elements change when an event is *accepted*, under a lock that is released before any delivery; events are delivered in
/// serial order. A subscriber takes its snapshot and its position under that same lock, so it receives exactly the events that are accepted
/// later.
@usableFromInline
class ReplayCore<Held: ReplayBuffer>: SubjectCore<Held.Element>, @unchecked Sendable {
    @usableFromInline typealias Element = Held.Element

    @usableFromInline final let state = Lock(Acceptance())
    /// The stored elements. Law 3: accessed only under the lock.
    @usableFromInline @safe @exclusivity(unchecked) final var held: Held
    /// The result of the latest update, until another event is accepted. Law 2: accessed only inside the serializer.
    @usableFromInline @safe @exclusivity(unchecked) final var updated: Update?

    /// The result of an update, and the version at which it was accepted.
    @usableFromInline
    final class Update {
        @usableFromInline let version: UInt64
        @usableFromInline let element: Element

        @inlinable
        init(version: UInt64, element: Element) {
            self.version = version
            self.element = element
        }
    }

    /// The time of a replay buffer with a window. It is a closure, because an optional scheduler would be copied for each event.
    @usableFromInline final let clock: (@Sendable () -> Duration)?

    @inlinable
    init(_ held: Held, clock: (@Sendable () -> Duration)? = nil) {
        self.held = held
        self.clock = clock
        super.init()
    }

    @inlinable
    final var now: Duration { if let clock { clock() } else { .zero } }

    /// Accepts an event: stores its element, and delivers it in serial order. After a terminal event, or if the stored elements are final
    /// (`isFinal`), it drops the event and returns `false`.
    @inlinable
    @discardableResult
    final func accept(_ event: Event<Element>, unless isFinal: (Held) -> Bool = { _ in false }) -> Bool {
        let (isAccepted, isFirst) = admit(event, unless: isFinal) { serializer.tryEnter() || enterLater(event) }
        guard isFirst else { return isAccepted }
        deliverAccepted(event)
        serializer.leave()
        return true
    }

    /// Accepts an event, and calls `enter` under the lock, to enter the serializer or to queue the event. If `isFirst`, the caller has
    /// entered, and must deliver the event and leave.
    @inlinable @inline(__always)
    final func admit(
        _ event: Event<Element>, unless isFinal: (Held) -> Bool, enter: () -> Bool
    ) -> (isAccepted: Bool, isFirst: Bool) {
        let now = now
        // The replaced elements are passed out of the lock, to be released there (law 3).
        let (isAccepted, isFirst, _) = state.withLock { state -> (Bool, Bool, Held.Dropped?) in
            guard !state.isStopped, !isFinal(held) else { return (false, false, nil) }
            let dropped = store(event, at: now, &state)
            return (true, enter(), dropped)
        }
        return (isAccepted, isFirst)
    }

    /// Counts an event and stores its element; returns the elements that it replaced. Called under the lock only.
    @inlinable
    final func store(_ event: Event<Element>, at now: Duration, _ state: inout Acceptance) -> Held.Dropped? {
        state.version &+= 1
        state.heldVersion = state.version
        guard case .next(let element) = event else {
            state.isStopped = true
            return nil
        }
        return held.keep(element, at: now)
    }

    @inlinable
    final func deliverAccepted(_ event: Event<Element>) {
        if updated != nil { updated = nil }
        deliver(event)
    }

    @usableFromInline
    final func enterLater(_ event: Event<Element>) -> Bool {
        serializer.enter(orEnqueue: { [self] in deliverAccepted(event) })
    }

    /// Subscribes an observer: emits the stored elements before it returns, and then exactly the events that are accepted from now on.
    @inlinable
    final func addReplaying(_ observer: AnyObserver<Element>, _ lifetime: Lifetime) {
        let slot = ReplaySlot(observer, core: self, parent: lifetime)
        if slot.attach() { open(slot) }
    }

    /// Whether the terminal event was accepted.
    @inlinable
    final var hasStopped: Bool { state.withLock(\.isStopped) }

    /// Subscribes `slot`, like `addReplaying`. With `onlyIfRunning`, it does nothing and returns `false` if a terminal event has been
    /// accepted.
    @inlinable
    @discardableResult
    final func open(_ slot: ReplaySlot<Element>, onlyIfRunning: Bool = false) -> Bool {
        let now = now
        let entry = state.withLock { state -> (snapshot: Held.Snapshot, isFirst: Bool)? in
            guard !(onlyIfRunning && state.isStopped) else { return nil }
            let missing = state.heldVersion == state.version ? nil : state.version
            let snapshot = held.snapshot(at: now, isStopped: state.isStopped)
            return (snapshot, serializer.tryEnter() || insertLater(slot, missing: missing))
        }
        guard let entry else {
            slot.detach()
            return false
        }
        if entry.isFirst {
            insert(slot)
            serializer.leave()
        }
        for element in entry.snapshot {
            guard slot.isAlive else { break }
            slot.send(.next(element))
        }
        slot.open()
        return true
    }

    @usableFromInline
    final func insertLater(_ slot: SubjectSlot<Element>, missing version: UInt64?) -> Bool {
        serializer.enter(orEnqueue: { [self] in insert(slot, missing: version) })
    }

    /// Adds `slot` to the list. If the snapshot was taken while an update was pending, emits the result of the update.
    private final func insert(_ slot: SubjectSlot<Element>, missing version: UInt64?) {
        if let version, let updated = updated, updated.version == version {
            slot.receive(.next(updated.element))
        }
        insert(slot)
    }
}

extension ReplayCore {
    /// Returns the element that was accepted last.
    @inlinable final func latest<Value>() -> Value? where Held == LatestElement<Value> {
        state.withLock { _ in held.element }
    }

    /// Runs `change` once, in serial order, on the element that was accepted before, and accepts the result.
    @inlinable
    final func update<Value>(_ change: @escaping @Sendable (inout Value) -> Void) where Held == LatestElement<Value> {
        let entry = state.withLock { state -> (base: Value?, version: UInt64, isFirst: Bool) in
            let base = held.element
            state.version &+= 1
            let version = state.version
            let isFirst = serializer.enter(orEnqueue: { [self] in run(change, on: base, version: version) })
            return (base, version, isFirst)
        }
        guard entry.isFirst else { return }
        run(change, on: entry.base, version: entry.version)
        serializer.leave()
    }

    @inlinable
    final func run<Value>(_ change: @Sendable (inout Value) -> Void, on base: Value?, version: UInt64)
    where Held == LatestElement<Value> {
        // The previous event may have been an update too, whose result was not known when this one was accepted.
        let previous = updated.flatMap { $0.version &+ 1 == version ? $0.element : nil }
        guard var element = previous ?? base else { return }
        change(&element)
        updated = Update(version: version, element: element)
        _ = state.withLock { state -> Value? in
            guard state.version == version else { return nil }
            state.heldVersion = version
            return held.keep(element, at: .zero)
        }
        deliver(.next(element))
    }
}
