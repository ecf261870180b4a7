import Schedulers

/// The part of a subject that its subscriptions share, for any element: the serializer and the list of observers.
@usableFromInline
class AnySubjectCore: @unchecked Sendable {
    // Law 2: all state is accessed only inside the serializer.
    @usableFromInline final let serializer = Serializer()
    @usableFromInline @safe @exclusivity(unchecked) final var observers = SubscriberList()
    /// The terminal event. Its type does not depend on the element, so destroying the core requires no type metadata from the runtime.
    @usableFromInline @safe @exclusivity(unchecked) final var stopEvent: Event<Never>?
    private final let mark = Resources.Mark("Subject")

    @usableFromInline
    init() {}

    /// Whether there are observers.
    final var hasObservers: Bool { !observers.isEmpty }

    /// Removes `slot`, which has been disposed, in serial order.
    final func remove(_ slot: AnySubjectSlot) {
        guard serializer.tryEnter() else {
            return serializer.enqueue { [self] in observers.remove(slot) }
        }
        observers.remove(slot)
        serializer.leave()
    }

    /// Completes. Called inside the serializer only. It creates no event with an element, which would require type metadata from the
    /// runtime.
    @usableFromInline
    final func stopCompleted() {
        guard stopEvent == nil else { return }
        stopEvent = .completed
        for slot in observers.takeAll() {
            slot.receiveCompletion()
            slot.didStop()
        }
    }

    /// Releases the observers without a terminal event, since none can be emitted any more.
    final func abandon() {
        serializer.enqueue { [self] in
            for slot in observers.takeAll() {
                slot.detach()
                slot.parent?.memberWasAbandoned()
            }
        }
    }
}

/// The core of a subject for one type of element.
@usableFromInline
class SubjectCore<Element: Sendable>: AnySubjectCore, @unchecked Sendable {
    @inlinable
    override init() {
        super.init()
    }

    @inlinable @inline(__always)
    final func on(_ event: Event<Element>) {
        guard serializer.tryEnter() || serializer.enterSoon() else { return deliverLater(event) }
        deliver(event)
        serializer.leave()
    }

    @inlinable @inline(__always)
    final func onNext(_ element: consuming Element) {
        guard serializer.tryEnter() || serializer.enterSoon() else { return deliverLater(.next(element)) }
        deliver(element)
        serializer.leave()
    }

    @inlinable @inline(never)
    final func deliverLater(_ event: Event<Element>) {
        serializer.enqueue(mayWait: true) { [self] in deliver(event) }
    }

    /// Sends an event to the observers. Called inside the serializer only.
    @inlinable @inline(__always)
    final func deliver(_ event: Event<Element>) {
        switch event {
        case .next(let element): deliver(element)
        case .error(let error): stop(with: error)
        case .completed: stopCompleted()
        }
    }

    /// Moves an element to the only observer, or copies it for each of several. Called inside the serializer only, as are the next three
    /// methods.
    @inlinable @inline(__always)
    final func deliver(_ element: consuming Element) {
        guard observers.end == 1 else { return deliverToAll(element) }
        guard let only = unsafe observers.first else { return }
        #if DEBUG
            // This does the same with fewer stack frames, which limit the depth of nested streams in a debug build (law 5).
            let slot = unsafe Self.typed(only.takeUnretainedValue())
            ElementReference.send(element) { event in slot.forward(event) }
        #else
            // A reference that a closure captures cannot be consumed, so the memory is passed.
            unsafe ElementReference.place(element) { memory in
                unsafe only._withUnsafeGuaranteedRef { unsafe Self.typed($0).forward(.next(ElementReference(memory))) }
            }
        #endif
    }

    @inlinable @inline(__always)
    final func deliverToAll(_ element: Element) {
        for index in 0..<observers.end {
            unsafe observers[index]?._withUnsafeGuaranteedRef { slot in
                ElementReference.send(element) { Self.typed(slot).forward($0) }
            }
        }
    }

    /// Returns a slot with its type: the list of a core contains only slots for its own element type.
    @inlinable @inline(__always)
    static func typed(_ slot: AnySubjectSlot) -> SubjectSlot<Element> {
        unsafe unsafeDowncast(slot, to: SubjectSlot<Element>.self)
    }

    @usableFromInline
    final func stop(with error: any Error) {
        guard stopEvent == nil else { return }
        stopEvent = .error(error)
        for slot in observers.takeAll() {
            Self.typed(slot).receive(.error(error))
            slot.didStop()
        }
    }

    /// Subscribes in serial order.
    @inlinable
    final func add(_ observer: consuming AnyObserver<Element>, _ lifetime: Lifetime) {
        let slot = SubjectSlot(observer, core: self, parent: lifetime)
        guard serializer.tryEnter() else { return enqueue(slot) }
        if stopEvent == nil { unsafe insertOwned(.passRetained(consume slot)) } else if slot.attach() { insert(slot) }
        serializer.leave()
    }

    /// Adds `slot`, which its lifetime then owns. Disposing the lifetime queues the removal, which retains the slot until it has left the
    /// list. Called inside the serializer only, and only if the subject has not terminated.
    @inlinable @inline(__always)
    final func insertOwned(_ slot: Unmanaged<SubjectSlot<Element>>) {
        let isAttached = unsafe slot._withUnsafeGuaranteedRef { $0.attachOwned() }
        guard isAttached else { return unsafe slot.release() }
        unsafe slot._withUnsafeGuaranteedRef { observers.append($0) }
    }

    @inlinable @inline(never)
    final func enqueue(_ slot: SubjectSlot<Element>) {
        guard slot.attach() else { return }
        serializer.enqueue { [self] in insert(slot) }
    }

    /// Adds `slot` to the list; if the subject has terminated, delivers the terminal event instead. Called inside the serializer only.
    @inlinable
    final func insert(_ slot: SubjectSlot<Element>) {
        // If another thread disposed the subscription meanwhile, its removal may have run already.
        guard slot.isAlive else { return }
        guard let stopEvent else { return observers.append(slot) }
        slot.receive(stopEvent.terminal())
        slot.didStop()
    }
}
