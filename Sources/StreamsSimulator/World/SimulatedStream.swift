public import Streams

/// A named stream of a simulation, in which its processes emit.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
public final class SimulatedStream<Element: Sendable>: ObservableConvertibleType, @unchecked Sendable {
    private let name: String
    private let loop: EventLoop
    private let trace: Trace
    private let subject = PublishSubject<Element>()

    init(_ name: String, _ loop: EventLoop, _ trace: Trace) {
        (self.name, self.loop, self.trace) = (name, loop, trace)
    }

    /// Emits an element, unless the process that calls has been killed.
    public func emit(_ element: Element) {
        if loop.escape(to: "emit(_:) of the stream \(name)") { return }
        guard loop.current?.isAlive ?? true else { return }
        trace.note(loop.time.now, emitted: element, in: name)
        loop.run(as: nil) { subject.onNext(element) }
    }

    public func asObservable() -> Observable<Element> {
        Observable { [self] downstream, lifetime in
            if let wakeup = loop.current?.expectWakeup() { lifetime.add { wakeup.end() } }
            subject.asObservable().subscribe(in: lifetime) { downstream.on($0) }
        }
    }

    /// An observer that emits in this stream; terminal events are ignored.
    public func asObserver() -> AnyObserver<Element> {
        AnyObserver { [self] event in
            if case .next(let element) = event { emit(element) }
        }
    }
}
