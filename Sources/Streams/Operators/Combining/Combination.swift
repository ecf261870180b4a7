import Schedulers

/// Combines elements of several upstreams, one of each: the join of `combineLatest` and `zip`, which differ in their slots.
@usableFromInline
final class Combination<Result: Sendable>: SharedSerializer, @unchecked Sendable {
    @usableFromInline let downstream: AnyObserver<Result>
    @usableFromInline let slots: SlotState
    @usableFromInline let delayErrors: Bool
    @usableFromInline let result: @Sendable () throws -> Result
    /// Law 2: accessed only inside the serializer.
    @usableFromInline @safe @exclusivity(unchecked) var firstError: (any Error)?
    @usableFromInline let mark = Resources.Mark("Combination")

    /// `result` combines an element of each slot.
    @inlinable
    init(
        _ downstream: AnyObserver<Result>, _ lifetime: Lifetime, _ slots: SlotState, delayErrors: Bool,
        _ result: @escaping @Sendable () throws -> Result
    ) {
        self.downstream = downstream
        self.slots = slots
        self.delayErrors = delayErrors
        self.result = result
        super.init(lifetime)
    }

    @inlinable @inline(never)
    func subscribe<Slot: CombinedSlot>(to source: some ObservableConvertibleType<Slot.Element>, _ slot: Slot) {
        let source = source.asObservable()
        guard !source.isSynchronous else { return subscribe(toSynchronous: source, slot) }
        let receive: @Sendable (consuming Event<Slot.Element>) -> Void = { [self] event in self.receive(event, in: slot) }
        subscribe(to: source, in: slot.upstream(in: gate), receive)
    }

    /// Subscribes to a source that has one element at most, and has terminated on return: it needs no lifetime of its own.
    @inlinable @inline(__always)
    func subscribe<Slot: CombinedSlot>(toSynchronous source: Observable<Slot.Element>, _ slot: Slot) {
        guard !gate.isDisposed else { return }
        source.start(
            .receiving { [self] event in
                serialize((event.take(), slot), with: self) { combination, input in combination.receive(input.0, in: input.1) }
            }, gate)
    }

    @inlinable @inline(__always)
    func receive<Slot: CombinedSlot>(_ event: consuming Event<Slot.Element>, in slot: Slot) {
        switch consume event {
        case .next(let element):
            slot.append(element)
            if slots.missing == 0 { emit() }
        case .error(let error): terminate(slot, with: error)
        case .completed: terminate(slot, with: nil)
        }
    }

    @inlinable @inline(__always)
    func emit() {
        do { downstream.onNext(try result()) } catch { return downstream.onError(error) }
        if !slots.drained.isEmpty { openDrained() }
        if slots.isExhausted { finish() }
    }

    @usableFromInline @inline(never)
    func openDrained() {
        for gate in slots.drained { resume(gate) }
        slots.drained = []
    }

    /// Counts one upstream less. If that upstream has no element, no more results are possible.
    @inlinable
    func terminate(_ slot: some CombinedSlot, with error: (any Error)?) {
        if let error {
            guard delayErrors else { return downstream.onError(error) }
            firstError = firstError ?? error
        }
        slot.isTerminated = true
        slots.running -= 1
        if slot.isEmpty || slots.running == 0 { finish() }
    }

    @inlinable
    func finish() {
        guard !lifetime.isDisposed else { return }
        downstream.on(firstError.map { .error($0) } ?? .completed)
    }
}

/// The shared state of the slots of one combination. Law 2: accessed only inside its serializer.
@usableFromInline
final class SlotState: @unchecked Sendable {
    /// The number of slots without an element.
    @usableFromInline @safe @exclusivity(unchecked) var missing: Int
    /// The number of upstreams that have not terminated.
    @usableFromInline @safe @exclusivity(unchecked) var running: Int
    /// The gates of the upstreams that have no waiting element any more.
    @usableFromInline @safe @exclusivity(unchecked) var drained: [Gate] = []
    /// Whether an empty slot belongs to a terminated upstream.
    @usableFromInline @safe @exclusivity(unchecked) var isExhausted = false

    @inlinable
    init(count: Int) {
        missing = count
        running = count
    }
}

/// The state of one upstream of a combination.
@usableFromInline
protocol CombinedSlot: AnyObject, Sendable {
    associatedtype Element: Sendable

    var isEmpty: Bool { get }
    /// Whether the slot's upstream has terminated.
    var isTerminated: Bool { get set }
    func append(_ element: consuming Element)
    /// Returns the lifetime of the slot's upstream.
    func upstream(in lifetime: Lifetime) -> Lifetime
}

/// The slot of an upstream of `combineLatest`.
@usableFromInline typealias LatestSlot<Element: Sendable> = OptionalSlot<Element, Element?>

/// The latest element of an upstream of `combineLatest`. Law 2: accessed only inside the serializer.
///
/// The optional is a parameter of the class, so that its deinitializer has the metadata at hand: it would look up that of `Element?`.
@usableFromInline
final class OptionalSlot<Element: Sendable, Stored: Sendable>: @unchecked Sendable {
    @usableFromInline @safe @exclusivity(unchecked) var element: Stored
    @usableFromInline @safe @exclusivity(unchecked) var isTerminated = false
    @usableFromInline let slots: SlotState

    @inlinable
    init(_ slots: SlotState) where Stored == Element? {
        self.slots = slots
        element = nil
    }
}

extension OptionalSlot: CombinedSlot where Stored == Element? {
    @inlinable var isEmpty: Bool { element == nil }

    @inlinable
    func append(_ element: consuming Element) {
        if self.element == nil { slots.missing -= 1 }
        self.element = element
    }

    @inlinable
    func upstream(in lifetime: Lifetime) -> Lifetime { lifetime.child() }

    /// The latest element; accessed only if every slot has one.
    @inlinable var latest: Element {
        guard let element else { preconditionFailure("a combined stream has no element yet") }
        return element
    }
}

/// The elements of an upstream of `zip` that wait for their counterparts. Law 2: accessed only inside the serializer.
@usableFromInline
final class ZipSlot<Element: Sendable>: CombinedSlot, @unchecked Sendable {
    @usableFromInline @safe @exclusivity(unchecked) var waiting = ElementQueue<Element>()
    /// Closed while too many elements wait.
    @usableFromInline @safe @exclusivity(unchecked) var gate: Gate?
    /// Whether so many elements waited that the gate was closed, and some of them still wait.
    @usableFromInline @safe @exclusivity(unchecked) var isAhead = false
    @usableFromInline @safe @exclusivity(unchecked) var isTerminated = false
    @usableFromInline let slots: SlotState
    @usableFromInline let waitingCount = ProbedCount()

    @inlinable
    init(_ slots: SlotState) {
        self.slots = slots
    }

    @inlinable var isEmpty: Bool { waiting.isEmpty }

    @inlinable
    func append(_ element: consuming Element) {
        if waiting.isEmpty { slots.missing -= 1 }
        waiting.append(element)
        waitingCount.set(waiting.count)
        if waiting.count >= Self.capacity { suspend() }
    }

    @usableFromInline @inline(never)
    func suspend() {
        isAhead = true
        gate?.suspend()
    }

    @usableFromInline @inline(never)
    func didCatchUp() {
        isAhead = false
        if let gate { slots.drained.append(gate) }
    }

    /// The number of elements that an upstream may be ahead.
    @inlinable static var capacity: Int { BufferingPolicy.aheadCapacity }

    @usableFromInline
    func upstream(in lifetime: Lifetime) -> Lifetime {
        Probe.queued("unpaired elements", of: self, bound: Self.capacity) { $0.waitingCount.value }
        let gate = lifetime.boundary()
        self.gate = gate
        return gate
    }

    /// Takes the oldest element; called only if every slot has one.
    @inlinable
    func take() -> Element {
        guard let element = waiting.popFirst() else { preconditionFailure("a zipped stream has no element that waits") }
        waitingCount.set(waiting.count)
        if waiting.isEmpty {
            slots.missing += 1
            if isAhead { didCatchUp() }
            if isTerminated { slots.isExhausted = true }
        }
        return element
    }
}
