import Schedulers

extension ObservableType {
    /// Emits a stream of the elements of each `timeSpan`, or of `count` elements if these are received sooner, on `scheduler`.
    ///
    /// ```swift
    /// numbers.window(timeSpan: .seconds(4), scheduler: scheduler).flatMap { $0.count() }
    /// // -1-2-3----|
    /// // ----2---1-(0|)
    /// ```
    ///
    /// The first window begins with the subscription; each window ends where the next begins. A window stores nothing for late subscribers.
    /// Upstream is disposed when the subscription and those of all windows are disposed. Source: [RxSwift, window; ReactiveX,
    /// Window](https://reactivex.io/documentation/operators/window.html).
    @inlinable
    public func window(timeSpan: Duration, count: Int = .max, scheduler: any Scheduler) -> Observable<Observable<Element>> {
        let source = asObservable()
        return Observable<Observable<Element>> { downstream, lifetime in
            let windows = Windows(downstream, lifetime)
            windows.open()
            source.cut(into: windows.pieces, in: windows.upstream.lifetime, every: timeSpan, count: count, scheduler: scheduler)
        }
    }

    /// Emits a stream of the elements between each two elements of `boundary`; the first begins with the subscription.
    ///
    /// ```swift
    /// numbers.window(boundary: letters).flatMap { $0.count() }
    /// // numbers -1-2-3----|
    /// // letters ----x-----|
    /// //         ----2-----(1|)
    /// ```
    ///
    /// `boundary` is subscribed to first: an element that is its own boundary, of the same hot stream, begins the next window. The
    /// completion of `boundary` is ignored, its error is forwarded. Otherwise like ``window(timeSpan:count:scheduler:)``.
    /// Source: [ReactiveX, Window](https://reactivex.io/documentation/operators/window.html).
    @inlinable
    public func window<Boundary: ObservableConvertibleType>(boundary: Boundary) -> Observable<Observable<Element>> {
        let source = asObservable()
        let boundary = boundary.asObservable()
        return Observable<Observable<Element>> { downstream, lifetime in
            let windows = Windows(downstream, lifetime)
            windows.open()
            source.cut(into: windows.pieces, in: windows.upstream.lifetime, at: boundary)
        }
    }

    /// Emits a stream of each `count` elements. The streams begin `skip` elements apart (by default `count`), each with its first element.
    ///
    /// ```swift
    /// numbers.window(count: 2).flatMap { $0.toArray() }
    /// // -1-2-3-|
    /// // ---a---(b|)   a = [1, 2], b = [3]
    /// ```
    ///
    /// Counts below 1 are treated as 1. Otherwise like ``window(timeSpan:count:scheduler:)``.
    /// Source: [ReactiveX, Window](https://reactivex.io/documentation/operators/window.html).
    @inlinable
    public func window(count: Int, skip: Int? = nil) -> Observable<Observable<Element>> {
        let start = asObservable().start
        let (count, skip) = (Swift.max(1, count), Swift.max(1, skip ?? count))
        return Observable<Observable<Element>> { downstream, lifetime in
            let windows = Windows(downstream, lifetime)
            let number = SerialState(0)
            start(
                AnyObserver.receiving { event in
                    let event = event.take()
                    guard !windows.upstream.lifetime.isDisposed else { return }
                    guard case .next(let element) = event else { return windows.finish(event) }
                    let index = number.value
                    number.value += 1
                    if index.isMultiple(of: skip) { windows.open() }
                    windows.add(element)
                    if index >= count - 1, (index - (count - 1)).isMultiple(of: skip) { windows.close() }
                }, windows.upstream.lifetime)
        }
    }
}

/// The open windows. Law 2: called one at a time.
@usableFromInline
final class Windows<Element: Sendable>: Sendable {
    @usableFromInline let upstream: SharedUpstream
    @usableFromInline let downstream: AnyObserver<Observable<Element>>
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let current = SerialState([PublishSubject<Element>]())

    @inlinable
    init(_ downstream: AnyObserver<Observable<Element>>, _ lifetime: Lifetime) {
        self.downstream = downstream
        self.lifetime = lifetime
        upstream = SharedUpstream(for: lifetime)
    }

    @inlinable
    var pieces: BufferBoundary<Element> {
        BufferBoundary(
            add: { [self] element in add(element) },
            cut: { [self] in
                close()
                open()
            },
            finish: { [self] event in finish(event) })
    }

    /// Opens a window and emits it; after a disposal nobody can receive it.
    @inlinable
    func open() {
        guard !lifetime.isDisposed else { return }
        let window = PublishSubject<Element>()
        current.value.append(window)
        downstream.onNext(upstream.keptActive(by: window.asObservable()))
    }

    @inlinable
    func add(_ element: Element) {
        for window in current.value { window.onNext(element) }
    }

    /// Completes the oldest window.
    @inlinable
    func close() {
        guard !current.value.isEmpty else { return }
        current.value.removeFirst().onCompleted()
    }

    @inlinable
    func finish(_ event: Event<Element>) {
        guard upstream.lifetime.end() else { return }
        let windows = current.value
        current.value = []
        for window in windows { window.on(event) }
        guard !lifetime.isDisposed else { return }
        downstream.on(event.terminal())
    }
}
