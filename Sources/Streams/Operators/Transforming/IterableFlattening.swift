import Schedulers
import Synchronization

/// Emits the elements of one sequence after the other. While downstream is suspended it keeps the remaining elements, and suspends
/// upstream.
@usableFromInline
final class IterableFlattening<Elements: Sequence & Sendable>: @unchecked Sendable where Elements.Element: Sendable {
    private enum Input {
        case elements(Elements)
        case stop(Event<Elements.Element>)
    }

    @usableFromInline let downstream: AnyObserver<Elements.Element>
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let gate: Gate
    /// Whether elements are kept: then the gate is closed. Both change under the lock, where upstream emits or after the kept elements were
    /// emitted.
    @usableFromInline let isParked = Atomic<Bool>(false)
    /// The inputs from an upstream that cannot be suspended, which follow the kept elements.
    private let waiting = Lock(ElementQueue<Input>())
    /// The remaining elements of the current sequence. Law 2: accessed by the one thread that emits them.
    @safe @exclusivity(unchecked) private var rest: Elements.Iterator?

    @usableFromInline
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

    @usableFromInline
    func stop(with event: Event<Elements.Element>) {
        if isParked.load(ordering: .acquiring), enqueue(.stop(event)) { return }
        downstream.on(event)
    }

    @usableFromInline @inline(never)
    func wait(_ elements: Elements) {
        if !enqueue(.elements(elements)) { emit(elements) }
    }

    @usableFromInline @inline(never)
    func park(_ iterator: Elements.Iterator) {
        rest = iterator
        waiting.withLock { _ in
            isParked.store(true, ordering: .releasing)
            gate.suspend()
        }
        lifetime.emitEach { [self] in emitNext() }
    }

    /// Emits the next of the kept elements; returns `false` when there is none.
    private func emitNext() -> Bool {
        if let element = rest?.next() {
            downstream.onNext(element)
            return true
        }
        let (next, change) = waiting.withLock { waiting -> (Input?, GateChange) in
            if let next = waiting.popFirst() { return (next, .none) }
            isParked.store(false, ordering: .releasing)
            return (nil, gate.resume())
        }
        switch next {
        case .elements(let elements): rest = elements.makeIterator()
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
        waiting.withLock { waiting in
            guard isParked.load(ordering: .relaxed) else { return false }
            waiting.append(input)
            return true
        }
    }
}
