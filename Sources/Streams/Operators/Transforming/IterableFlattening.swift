import Schedulers
import Synchronization

/// Emits the elements of one sequence after the other. While downstream is suspended it keeps the remaining elements, and suspends
/// upstream.
@usableFromInline
final class IterableFlattening<Elements: Sequence & Sendable>: @unchecked Sendable where Elements.Element: Sendable {
    fileprivate enum Input {
        case elements(Elements)
        case stop(Event<Elements.Element>)
    }

    /// The elements that wait while downstream is suspended. It is an object, because a type that depends on the elements would be looked up at the end
    /// of each subscription.
    @usableFromInline
    final class Kept: @unchecked Sendable {
        /// The inputs from an upstream that cannot be suspended, which follow the kept elements. Law 3: accessed only under the lock.
        @safe @exclusivity(unchecked) fileprivate var waiting = ElementQueue<Input>()
        /// The remaining elements of the current sequence. Law 2: accessed by the one thread that emits them.
        @safe @exclusivity(unchecked) fileprivate var rest: Elements.Iterator

        fileprivate init(_ rest: Elements.Iterator) {
            self.rest = rest
        }
    }

    @usableFromInline let downstream: AnyObserver<Elements.Element>
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let gate: Gate
    /// Whether elements are kept: then the gate is closed. Both change under the lock, where upstream emits or after the kept elements were
    /// emitted.
    @usableFromInline let isParked = Atomic<Bool>(false)
    @usableFromInline let lock = Lock(())
    /// Law 3: changes only under the lock, with `isParked`.
    @usableFromInline @safe @exclusivity(unchecked) var kept: Kept?

    @inlinable
    init(_ downstream: AnyObserver<Elements.Element>, _ lifetime: Lifetime) {
        self.downstream = downstream
        self.lifetime = lifetime
        gate = lifetime.boundary()
    }

    /// Emits elements, or keeps them. Called where upstream emits, like `stop(with:)`.
    @inlinable @inline(__always)
    func emit(_ elements: Elements) {
        guard !isParked.load(ordering: .acquiring) else { return wait(elements) }
        var iterator = elements.makeIterator()
        while lifetime.mayEmit {
            guard let element = iterator.next() else { return }
            downstream.onNext(element)
        }
        if !lifetime.isDisposed { park(iterator) }
    }

    @inlinable
    func stop(with event: Event<Elements.Element>) {
        if isParked.load(ordering: .acquiring), waitToStop(with: event) { return }
        downstream.on(event)
    }

    @usableFromInline @inline(never)
    func wait(_ elements: Elements) {
        if !enqueue(.elements(elements)) { emit(elements) }
    }

    /// Keeps a terminal event; returns `false` if all kept elements have been emitted meanwhile.
    @usableFromInline @inline(never)
    func waitToStop(with event: Event<Elements.Element>) -> Bool {
        enqueue(.stop(event))
    }

    @usableFromInline @inline(never)
    func park(_ iterator: Elements.Iterator) {
        let kept = Kept(iterator)
        lock.withLock { _ in
            self.kept = kept
            isParked.store(true, ordering: .releasing)
            gate.suspend()
        }
        lifetime.emitEach { [self] in emitNext(kept) }
    }

    /// Emits the next of the kept elements; returns `false` when there is none.
    private func emitNext(_ kept: Kept) -> Bool {
        if let element = kept.rest.next() {
            downstream.onNext(element)
            return true
        }
        let (next, change) = lock.withLock { _ -> (Input?, GateChange) in
            if let next = kept.waiting.popFirst() { return (next, .none) }
            self.kept = nil
            isParked.store(false, ordering: .releasing)
            return (nil, gate.resume())
        }
        switch next {
        case .elements(let elements): kept.rest = elements.makeIterator()
        case .stop(let event):
            downstream.on(event)
            return false
        case nil:
            change.perform()
            return false
        }
        return true
    }

    /// Keeps an input; returns `false` if all kept elements have been emitted meanwhile.
    private func enqueue(_ input: Input) -> Bool {
        lock.withLock { _ in
            guard let kept else { return false }
            kept.waiting.append(input)
            return true
        }
    }
}
