import Schedulers

/// How `buffer` and `window` handle an element, a boundary, and termination. Law 2: called one at a time.
struct BufferBoundary<Element: Sendable>: Sendable {
    let add: @Sendable (Element) -> Void
    let cut: @Sendable () -> Void
    let finish: @Sendable (Event<Element>) -> Void
}

extension Observable {
    /// Emits a boundary when `timeSpan` has passed since the last one, or after `count` elements. Runs in `parent`.
    func cut(
        into pieces: BufferBoundary<Element>, in parent: Lifetime, every timeSpan: Duration, count: Int, scheduler: any Scheduler
    ) {
        let serializer = SharedSerializer(parent)
        let state = SerialState((held: 0, number: 0))
        let timer = SerialDisposable()
        parent.add(timer)
        @Sendable func plan() {
            let number = state.value.number
            timer.disposable = scheduler.schedule(after: timeSpan) {
                serializer.run {
                    guard state.value.number == number else { return }
                    cut()
                }
            }
        }
        @Sendable func cut() {
            state.value = (0, state.value.number + 1)
            plan()
            pieces.cut()
        }
        // Inside the serializer, like every later one: a timer that fires immediately is queued until it is stored.
        serializer.run { plan() }
        serializer.subscribe(to: self) { event in
            guard case .next(let element) = event else { return pieces.finish(event) }
            pieces.add(element)
            state.value.held += 1
            if state.value.held >= count, !parent.isDisposed { cut() }
        }
    }

    /// Emits a boundary whenever `boundary` emits; its completion is ignored, its error is forwarded. Runs in `parent`.
    func cut<Boundary>(into pieces: BufferBoundary<Element>, in parent: Lifetime, at boundary: Observable<Boundary>) {
        let serializer = SharedSerializer(parent)
        serializer.subscribe(to: boundary) { event in
            switch event {
            case .next: pieces.cut()
            case .error(let error): pieces.finish(.error(error))
            case .completed: break
            }
        }
        serializer.subscribe(to: self) { event in
            guard case .next(let element) = event else { return pieces.finish(event) }
            pieces.add(element)
        }
    }
}
