import Schedulers

/// The part of a subject that its subscriptions share: the serializer and the list of observers.
@usableFromInline
class SubjectCore<Element: Sendable>: @unchecked Sendable {
    // Law 2: everything stored is used only inside the serializer.
    @usableFromInline final let serializer = Serializer()
    @usableFromInline @exclusivity(unchecked) final var observers = SubscriberList<Element>()
    @usableFromInline @exclusivity(unchecked) final var stopEvent: Event<Element>?
    @usableFromInline let mark = Resources.Mark("Subject")

    @inlinable
    init() {}

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
        observers.send(event)
    }

    @usableFromInline
    final func stop(with event: Event<Element>) {
        guard stopEvent == nil else { return }
        stopEvent = event
        for slot in observers.takeAll() {
            slot.receive(event)
            slot.detach()
        }
    }

    /// Subscribes at the turn of this call.
    @inlinable
    final func add(_ observer: AnyObserver<Element>, _ lifetime: Lifetime) {
        let slot = SubjectSlot(observer, core: self, parent: lifetime)
        guard slot.attach() else { return }
        slot.enter()
    }

    /// Puts `slot` into the list; a subject that has stopped sends it the terminal event instead. Inside the serializer only.
    @inlinable
    final func insert(_ slot: SubjectSlot<Element>) {
        guard let stopEvent else { return observers.append(slot) }
        slot.receive(stopEvent)
        slot.detach()
    }

    /// Lets the observers go without a terminal event: nobody is left who could send one.
    final func abandon() {
        serializer.enqueue { [self] in
            for slot in observers.takeAll() {
                slot.detach()
            }
        }
    }
}
