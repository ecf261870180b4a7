import Schedulers
import Synchronization

/// The part of a subject that its subscriptions share, whatever its element: the serializer and the list of observers.
@usableFromInline
class AnySubjectCore: @unchecked Sendable {
    // Law 2: all state is accessed only inside the serializer.
    @usableFromInline final let serializer = Serializer()
    @usableFromInline @exclusivity(unchecked) final var observers = SubscriberList()
    /// The number of observers, for other threads.
    @usableFromInline final let observerCount = Atomic<Int>(0)
    private final let mark = Resources.Mark("Subject")

    @usableFromInline
    init() {}

    /// Whether somebody is subscribed.
    final var hasObservers: Bool { observerCount.load(ordering: .relaxed) > 0 }

    /// Releases the observers without a terminal event: none can be emitted any more.
    final func abandon() {
        serializer.enqueue { [self] in
            for slot in takeObservers() { slot.detach() }
        }
    }

    /// Adds an observer. Inside the serializer only, like the other changes of the list.
    @usableFromInline
    final func append(_ slot: AnySubjectSlot) {
        observers.append(slot)
        observerCount.store(observers.count, ordering: .relaxed)
    }

    final func remove(_ slot: AnySubjectSlot) {
        observers.remove(slot)
        observerCount.store(observers.count, ordering: .relaxed)
    }

    final func takeObservers() -> [AnySubjectSlot] {
        observerCount.store(0, ordering: .relaxed)
        return observers.takeAll()
    }
}

/// The core of a subject of one element.
@usableFromInline
class SubjectCore<Element: Sendable>: AnySubjectCore, @unchecked Sendable {
    /// Law 2: accessed only inside the serializer.
    @usableFromInline @exclusivity(unchecked) final var stopEvent: Event<Element>?

    @inlinable
    override init() {
        super.init()
    }

    @inlinable @inline(__always)
    final func on(_ event: Event<Element>) {
        guard serializer.tryEnter() else {
            return serializer.enqueue { [self] in deliver(event) }
        }
        deliver(event)
        serializer.leave()
    }

    /// Sends to the observers. Inside the serializer only.
    @inlinable @inline(__always)
    final func deliver(_ event: Event<Element>) {
        if event.isStopEvent { return stop(with: event) }
        guard let slots = observers.slots else { return }
        for index in 0..<observers.end {
            slots[index]?._withUnsafeGuaranteedRef { Self.typed($0).receive(event) }
        }
    }

    /// The list of a core has slots of its element only.
    @inlinable @inline(__always)
    static func typed(_ slot: AnySubjectSlot) -> SubjectSlot<Element> {
        unsafeDowncast(slot, to: SubjectSlot<Element>.self)
    }

    @usableFromInline
    final func stop(with event: Event<Element>) {
        guard stopEvent == nil else { return }
        stopEvent = event
        for slot in takeObservers() {
            Self.typed(slot).receive(event)
            slot.detach()
        }
    }

    /// Subscribes at the turn of this call.
    @inlinable
    final func add(_ observer: AnyObserver<Element>, _ lifetime: Lifetime) {
        let slot = SubjectSlot(observer, core: self, parent: lifetime)
        guard slot.attach() else { return }
        guard serializer.tryEnter() else { return enqueue(slot) }
        insert(slot)
        serializer.leave()
    }

    @inlinable @inline(never)
    final func enqueue(_ slot: SubjectSlot<Element>) {
        serializer.enqueue { [self] in insert(slot) }
    }

    /// Adds `slot` to the list; if the subject has terminated, delivers the terminal event instead. Inside the serializer only.
    @inlinable
    final func insert(_ slot: SubjectSlot<Element>) {
        guard let stopEvent else { return append(slot) }
        slot.receive(stopEvent)
        slot.detach()
    }
}
