import Schedulers

/// The operations that a context follows, of which only the latest is heard.
///
/// Unlike a `SwitchJoin` it goes on handling what has arrived while its lifetime is being disposed: a context that forwards an operation is
/// detached from inside that delivery.
final class ContextSwitcher<Element: Sendable>: @unchecked Sendable {
    let serializer = Serializer()
    let downstream: AnyObserver<Element>
    let lifetime: Lifetime
    /// The lifetime of the stream that is heard; nil when it has completed. Law 2: used only inside the serializer, like what follows.
    @exclusivity(unchecked) var latest: Lifetime?
    @exclusivity(unchecked) private var isOuterDone = false
    private let mark = Resources.Mark("ContextSwitcher")

    init(_ downstream: AnyObserver<Element>, _ lifetime: Lifetime) {
        self.downstream = downstream
        self.lifetime = lifetime
    }

    /// Lets the stream that is heard go at its turn, behind what that has sent already.
    func disposeLatest() {
        guard serializer.tryEnter() else { return serializer.enqueue { [self] in disposeInner() } }
        if latest != nil { disposeInner() }
        serializer.leave()
    }

    /// Starts the stream to hear next. One that sends in place needs no lifetime of its own and is over when this returns.
    func run(_ source: Observable<Element>) {
        guard source.isSynchronous else { return start(source) }
        source.start(
            AnyObserver { [self] event in
                switch consume event {
                case .next(let element):
                    guard serializer.tryEnter() else { return serializer.enqueue { [self] in send(element) } }
                    send(element)
                    serializer.leave()
                case .error(let error): fail(error)
                case .completed: break
                }
            }, lifetime)
    }

    func send(_ element: consuming Element) {
        guard !lifetime.isDisposed else { return }
        downstream.onNext(consume element)
    }

    func start(_ source: Observable<Element>) {
        let inner = lifetime.child()
        serializer.enqueue { [self] in latest = inner }
        source.start(
            AnyObserver { [self] event in
                guard serializer.tryEnter() else { return serializer.enqueue { [self] in take(event, of: inner) } }
                take(event, of: inner)
                serializer.leave()
            }, inner)
    }

    func fail(_ error: any Error) {
        serializer.enqueue { [self] in
            guard !lifetime.isDisposed else { return }
            downstream.onError(error)
        }
    }

    func outerCompleted(_ outer: Lifetime) {
        serializer.enqueue { [self] in
            guard outer.end() else { return }
            isOuterDone = true
            if latest == nil { downstream.onCompleted() }
        }
    }

    func disposeInner() {
        latest.take()?.dispose()
    }

    private func take(_ event: Event<Element>, of inner: Lifetime) {
        guard !inner.isDisposed else { return }
        guard case .completed = event else { return downstream.on(event) }
        inner.end()
        latest = nil
        if isOuterDone { downstream.onCompleted() }
    }
}
