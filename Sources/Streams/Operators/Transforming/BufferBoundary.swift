import Schedulers

/// The reactions of `buffer` and `window` to an element, a boundary, and termination. Law 2: called one at a time.
@usableFromInline
struct BufferBoundary<Element: Sendable>: Sendable {
    @usableFromInline let add: @Sendable (Element) -> Void
    @usableFromInline let cut: @Sendable () -> Void
    @usableFromInline let finish: @Sendable (Event<Element>) -> Void

    @inlinable
    init(
        add: @escaping @Sendable (Element) -> Void, cut: @escaping @Sendable () -> Void,
        finish: @escaping @Sendable (Event<Element>) -> Void
    ) {
        self.add = add
        self.cut = cut
        self.finish = finish
    }
}

extension Observable {
    /// Emits a boundary when `timeSpan` has passed since the last one, or after `count` elements. Runs in `parent`.
    @inlinable
    func cut(
        into pieces: BufferBoundary<Element>, in parent: Lifetime, every timeSpan: Duration, count: Int, scheduler: any Scheduler
    ) {
        let serializer = SharedSerializer(parent)
        let timeSpan = timeSpan.clamped
        let held = SerialState(0)
        @Sendable func cut(_ timer: RestartableTimer) {
            held.value = 0
            timer.start(after: timeSpan)
            pieces.cut()
        }
        let timer = RestartableTimer(scheduler, in: serializer, cut)
        serializer.run { timer.start(after: timeSpan) }
        serializer.subscribe(to: self, in: serializer.gate) { event in
            guard case .next(let element) = event else { return pieces.finish(event) }
            pieces.add(element)
            held.value += 1
            if held.value >= count, !parent.isDisposed { cut(timer) }
        }
    }

    /// Emits a boundary whenever `boundary` emits; its completion is ignored, its error is forwarded. Runs in `parent`.
    @inlinable
    func cut<Boundary>(into pieces: BufferBoundary<Element>, in parent: Lifetime, at boundary: Observable<Boundary>) {
        let serializer = SharedSerializer(parent)
        serializer.subscribe(toIndependent: boundary) { event in
            switch event {
            case .next: pieces.cut()
            case .error(let error): pieces.finish(.error(error))
            case .completed: break
            }
        }
        serializer.subscribe(to: self, in: serializer.gate) { event in
            guard case .next(let element) = event else { return pieces.finish(event) }
            pieces.add(element)
        }
    }
}
