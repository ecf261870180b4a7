public import Streams

extension Observable {
    /// Emits one page after another, each from the stream that `page` returns for its cursor.
    ///
    /// ```swift
    /// Observable.pages(from: 0) { page, cursor in page.isEmpty ? nil : cursor + page.count } page: { cursor in load(from: cursor) }
    /// ```
    ///
    /// - Parameters:
    ///   - first: the cursor of the first page.
    ///   - wanted: emits when a further page is wanted. Elements before the delivery of the current page are ignored. Its completion
    ///     completes the result.
    ///   - onFailure: returns a stream whose next element triggers a retry of the failed page. By default the stream fails.
    ///   - next: returns the cursor of the next page, or `nil` after the last one.
    ///   - page: loads the page at a cursor.
    public static func pages<Cursor: Sendable>(
        from first: Cursor, wanted: Observable<Void>? = nil,
        onFailure: @escaping @Sendable (any Error) -> Observable<Void> = { .error($0) },
        next: @escaping @Sendable (Element, Cursor) throws -> Cursor?,
        page: @escaping @Sendable (Cursor) throws -> Observable<Element>
    ) -> Observable<Element> {
        .using {
            PageState(first, wanted)
        } observableFactory: { paging in
            let loading = Observable.deferred { () throws -> Observable<Element> in
                guard let cursor = paging.cursor.value else { return .empty() }
                return try page(cursor).do(onNext: { paging.advance(to: try next($0, cursor)) })
            }
            let retried = loading.retry { failures in
                failures.flatMap { error in onFailure(error).take(1).ifEmpty(switchTo: Observable<Void>.error(error)) }
            }
            return .concat(PageSequence(paging: paging, page: retried))
        }
    }
}

/// The state of one subscription. `cursor` and `hasDelivered` are accessed only by its serialized events.
private final class PageState<Cursor: Sendable>: Disposable {
    /// The cursor of the next page; `nil` after the last one.
    let cursor: SerialState<Cursor?>
    /// Whether a page has been delivered since the last request.
    let hasDelivered = SerialState(true)
    /// The number of wanted pages, and that number at the time of the last delivery.
    private let demand: BehaviorSubject<Int>?
    private let servedDemand = SerialState(0)
    private let subscription: (any Disposable)?

    init(_ first: Cursor, _ wanted: Observable<Void>?) {
        cursor = SerialState(first)
        guard let wanted else {
            (demand, subscription) = (nil, nil)
            return
        }
        let demand = BehaviorSubject(value: 0)
        self.demand = demand
        subscription = wanted.scan(0) { count, _ in count + 1 }.subscribe(demand)
    }

    func advance(to next: Cursor?) {
        cursor.value = next
        hasDelivered.value = true
        servedDemand.value = demand?.value ?? 0
    }

    /// Emits once when a further page is wanted.
    func whenDemanded() -> Observable<Void> {
        guard let demand else { return .just(()) }
        return demand.filter { [servedDemand] in $0 > servedDemand.value }.take(1).map { _ in () }
    }

    func dispose() {
        subscription?.dispose()
    }
}

/// The streams of the pages; a subscription requests the first one.
private struct PageSequence<Cursor: Sendable, Page: Sendable>: Sequence, IteratorProtocol, Sendable {
    let paging: PageState<Cursor>
    let page: Observable<Page>
    var isFirst = true

    mutating func next() -> Observable<Page>? {
        // A stream that completes without a page, or a completed `wanted`, completes the sequence.
        guard paging.cursor.value != nil, paging.hasDelivered.value else { return nil }
        paging.hasDelivered.value = false
        defer { isFirst = false }
        return isFirst ? page : paging.whenDemanded().flatMap { [page] in page }
    }
}
