import Schedulers

/// The part of a combination that its slots change, for any type of result. Law 2: accessed only inside the serializer.
@usableFromInline
class AnyCombination: SharedSerializer, @unchecked Sendable {
    /// The number of slots without an element.
    @usableFromInline @safe @exclusivity(unchecked) final var missing: Int
    /// The number of upstreams that have not terminated.
    @usableFromInline @safe @exclusivity(unchecked) final var running: Int
    /// The gates of the upstreams that have no waiting element any more.
    @usableFromInline @safe @exclusivity(unchecked) final var drained: [Gate]?
    /// Whether an empty slot belongs to a terminated upstream.
    @usableFromInline @safe @exclusivity(unchecked) final var isExhausted = false
    @usableFromInline @safe @exclusivity(unchecked) final var firstError: (any Error)?

    @usableFromInline
    init(_ lifetime: Lifetime, count: Int) {
        missing = count
        running = count
        super.init(lifetime)
    }

    @usableFromInline @inline(never)
    final func openDrained() {
        for gate in drained.take() ?? [] { resume(gate) }
    }
}

/// Combines elements of several upstreams, one of each: the join of `combineLatest` and `zip`, which differ in their slots.
@usableFromInline
final class Combination<Result: Sendable>: AnyCombination, @unchecked Sendable {
    @usableFromInline let downstream: AnyObserver<Result>
    @usableFromInline let delayErrors: Bool
    @usableFromInline let result: @Sendable (AnyCombination) throws -> Result
    @usableFromInline let mark = Resources.Mark("Combination")

    /// Creates the combination of `count` slots; `result` combines an element of each.
    @inlinable
    init(
        _ downstream: AnyObserver<Result>, _ lifetime: Lifetime, count: Int, delayErrors: Bool,
        _ result: @escaping @Sendable (AnyCombination) throws -> Result
    ) {
        self.downstream = downstream
        self.delayErrors = delayErrors
        self.result = result
        super.init(lifetime, count: count)
    }

    /// Subscribes to an upstream of `combineLatest`.
    @inlinable @inline(never)
    func subscribe<Element: Sendable>(to source: some ObservableConvertibleType<Element>, _ slot: LatestSlot<Element>) {
        let source = source.asObservable()
        guard !source.isSynchronous else { return subscribe(toSynchronous: source, slot) }
        subscribe(to: source, in: LatestUpstream(of: self, slot))
    }

    /// Subscribes to an upstream of `zip`.
    @inlinable @inline(never)
    func subscribe<Element: Sendable>(to source: some ObservableConvertibleType<Element>, _ slot: ZipSlot<Element>) {
        let source = source.asObservable()
        guard !source.isSynchronous else { return subscribe(toSynchronous: source, slot) }
        let upstream = ZipUpstream(of: self, slot)
        Probe.queued("unpaired elements", of: slot, bound: ZipSlot<Element>.capacity) { $0.waitingCount.value }
        subscribe(to: source, in: upstream)
    }

    @inlinable @inline(__always)
    func subscribe<Upstream: CombinedUpstream>(to source: Observable<Upstream.Slot.Element>, in upstream: Upstream) {
        // An earlier source may have terminated the operator while it was being subscribed to.
        guard upstream.attach() else { return }
        source.start(
            .receiving { event in
                guard let event = event.take(in: upstream) else { return }
                upstream.combination.serialize(consume event, with: upstream) { upstream, event in
                    upstream.combination.receive(event, in: upstream.slot, from: upstream)
                }
            }, upstream)
    }

    /// Subscribes to a source that has one element at most, and has terminated on return: it needs no lifetime of its own.
    @inlinable @inline(__always)
    func subscribe<Slot: CombinedSlot>(toSynchronous source: Observable<Slot.Element>, _ slot: Slot) {
        guard !gate.isDisposed else { return }
        source.start(
            .receiving { [self] event in
                serialize((event.take(), slot), with: self) { combination, input in
                    combination.receive(input.0, in: input.1, from: combination.gate)
                }
            }, gate)
    }

    @inlinable @inline(__always)
    func receive<Slot: CombinedSlot>(_ event: consuming Event<Slot.Element>, in slot: Slot, from upstream: Lifetime) {
        switch consume event {
        case .next(let element):
            slot.append(element, from: upstream, in: self)
            if missing == 0 { emit() }
        case .error(let error): terminate(slot, with: error)
        case .completed: terminate(slot, with: nil)
        }
    }

    @inlinable @inline(__always)
    func emit() {
        do { downstream.onNext(try result(self)) } catch { return fail(with: error) }
        if drained != nil { openDrained() }
        if isExhausted { finish() }
    }

    @inlinable @inline(never)
    func fail(with error: any Error) {
        // Gates upstream retain this.
        drained = nil
        downstream.onError(error)
    }

    /// Counts one upstream less. If that upstream has no element, no more results are possible.
    @inlinable
    func terminate(_ slot: some CombinedSlot, with error: (any Error)?) {
        if let error {
            guard delayErrors else { return downstream.onError(error) }
            firstError = firstError ?? error
        }
        slot.isTerminated = true
        running -= 1
        if slot.isEmpty || running == 0 { finish() }
    }

    @inlinable
    func finish() {
        guard isAlive else { return }
        downstream.on(firstError.map { .error($0) } ?? .completed)
    }
}

/// The lifetime of one upstream of a combination, with all that its observer needs: that captures this one reference.
@usableFromInline
protocol CombinedUpstream: Lifetime {
    associatedtype Slot: CombinedSlot
    associatedtype Result: Sendable

    var combination: Combination<Result> { get }
    var slot: Slot { get }
}

/// The lifetime of an upstream of `combineLatest`.
@usableFromInline
final class LatestUpstream<Element: Sendable, Result: Sendable>: Lifetime, CombinedUpstream, @unchecked Sendable {
    // Law 9: stored properties are constants.
    @usableFromInline let combination: Combination<Result>
    @usableFromInline let slot: LatestSlot<Element>

    @inlinable
    init(of combination: Combination<Result>, _ slot: LatestSlot<Element>) {
        self.combination = combination
        self.slot = slot
        super.init(of: combination.gate)
    }

    @usableFromInline
    override func memberWasAbandoned() {
        leaveIfAbandoned()
    }
}

/// The lifetime of an upstream of `zip`, which is suspended while too many of its elements wait.
@usableFromInline
final class ZipUpstream<Element: Sendable, Result: Sendable>: Gate, CombinedUpstream, @unchecked Sendable {
    // Law 9: stored properties are constants.
    @usableFromInline let combination: Combination<Result>
    @usableFromInline let slot: ZipSlot<Element>

    @inlinable
    init(of combination: Combination<Result>, _ slot: ZipSlot<Element>) {
        self.combination = combination
        self.slot = slot
        super.init(of: combination.gate, follows: true)
    }

    @usableFromInline
    override func memberWasAbandoned() {
        leaveIfAbandoned()
    }
}

/// The state of one upstream of a combination, which must not retain the combination.
@usableFromInline
protocol CombinedSlot: AnyObject, Sendable {
    associatedtype Element: Sendable

    var isEmpty: Bool { get }
    /// Whether the slot's upstream has terminated.
    var isTerminated: Bool { get set }
    func append(_ element: consuming Element, from upstream: Lifetime, in combination: AnyCombination)
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

    @inlinable
    init() where Stored == Element? {
        element = nil
    }
}

extension OptionalSlot: CombinedSlot where Stored == Element? {
    @inlinable var isEmpty: Bool { element == nil }

    @inlinable
    func append(_ element: consuming Element, from upstream: Lifetime, in combination: AnyCombination) {
        if self.element == nil { combination.missing -= 1 }
        self.element = element
    }

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
    /// The gate of the upstream, if it was closed because so many elements waited, and some of them still wait.
    @usableFromInline @safe @exclusivity(unchecked) var suspended = SuspendedGate()
    @usableFromInline @safe @exclusivity(unchecked) var isTerminated = false
    @usableFromInline let waitingCount = ProbedCount()

    @inlinable
    init() {}

    @inlinable var isEmpty: Bool { waiting.isEmpty }

    @inlinable
    func append(_ element: consuming Element, from upstream: Lifetime, in combination: AnyCombination) {
        if waiting.isEmpty { combination.missing -= 1 }
        waiting.append(element)
        waitingCount.set(waiting.count)
        if waiting.count >= Self.capacity { suspend(upstream) }
    }

    @usableFromInline @inline(never)
    func suspend(_ upstream: Lifetime) {
        // A synchronous source is not ahead: it has one element.
        if let gate = upstream as? Gate { suspended.suspend(gate) }
    }

    @usableFromInline @inline(never)
    func didCatchUp(in combination: AnyCombination) {
        if let gate = suspended.take() { combination.drained = (combination.drained ?? []) + [gate] }
    }

    /// The number of elements that an upstream may be ahead.
    @inlinable static var capacity: Int { BufferingPolicy.aheadCapacity }

    /// Takes the oldest element; called only if every slot has one.
    @inlinable
    func take(in combination: AnyCombination) -> Element {
        guard let element = waiting.popFirst() else { preconditionFailure("a zipped stream has no element that waits") }
        waitingCount.set(waiting.count)
        if waiting.isEmpty {
            combination.missing += 1
            if suspended.isSuspended { didCatchUp(in: combination) }
            if isTerminated { combination.isExhausted = true }
        }
        return element
    }
}
