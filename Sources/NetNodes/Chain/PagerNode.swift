public import Streams

/// Asks for one page after another: the input is where the first one begins.
///
/// The next page is asked for only when the one before was delivered and, where there is a `wanted`, when that has sent since; whoever stops
/// listening has no further page asked for. Operator: ``Streams/Observable/pages(from:wanted:onFailure:next:page:)``.
public struct PagerNode<Cursor: Sendable, Page: Sendable>: Node {
    private let wanted: Observable<Void>?
    private let onFailure: @Sendable (any Error) -> Observable<Void>
    private let nextCursor: @Sendable (Page, Cursor) throws -> Cursor?
    private let page: any Node<Cursor, Page>

    /// - Parameters:
    ///   - page: gives the page at a cursor.
    ///   - wanted: sends when a further page is wanted; without it pages follow one another.
    ///   - onFailure: when what it gives sends, the page that failed is asked for again. By default the error ends the stream.
    ///   - next: where the next page begins, `nil` after the last one.
    public init(
        page: any Node<Cursor, Page>, wanted: Observable<Void>? = nil,
        onFailure: @escaping @Sendable (any Error) -> Observable<Void> = { .error($0) },
        next: @escaping @Sendable (Page, Cursor) throws -> Cursor?
    ) {
        self.page = page
        self.wanted = wanted
        self.onFailure = onFailure
        nextCursor = next
    }

    public func stream(_ input: Cursor) -> Observable<Page> {
        .pages(from: input, wanted: wanted, onFailure: onFailure, next: nextCursor) { [page] in page.stream($0) }
    }
}

extension Observable {
    /// Sends one page after another, each from the stream that `page` makes of its cursor.
    ///
    /// ```swift
    /// Observable.pages(from: 0) { page, cursor in page.isEmpty ? nil : cursor + page.count } page: { cursor in load(from: cursor) }
    /// ```
    ///
    /// - Parameters:
    ///   - wanted: sends when a further page is wanted. What it sends before the page before has come does not count. Its end is the end.
    ///   - onFailure: when what it gives sends, the page that failed is asked for again. By default the error ends the stream.
    ///   - next: where the next page begins, `nil` after the last one.
    public static func pages<Cursor: Sendable>(
        from first: Cursor, wanted: Observable<Void>? = nil,
        onFailure: @escaping @Sendable (any Error) -> Observable<Void> = { .error($0) },
        next: @escaping @Sendable (Element, Cursor) throws -> Cursor?,
        page: @escaping @Sendable (Cursor) throws -> Observable<Element>
    ) -> Observable<Element> {
        .using {
            PageTurner(first, wanted)
        } observableFactory: { turner in
            let loading = Observable.deferred { () throws -> Observable<Element> in
                guard let cursor = turner.place.value else { return .empty() }
                return try page(cursor).do(onNext: { turner.turn(to: try next($0, cursor)) })
            }
            let patient = loading.retry { failures in
                failures.flatMap { error in onFailure(error).take(1).ifEmpty(switchTo: Observable<Void>.error(error)) }
            }
            return .concat(PageSequence(turner: turner, page: patient))
        }
    }
}

/// Where one subscription stands. `place` and `hasTurned` are reached by its events only, one at a time.
private final class PageTurner<Cursor: Sendable>: Disposable {
    /// Where the next page begins; `nil` after the last.
    let place: SerialState<Cursor?>
    /// Whether a page has come since the last one was asked for.
    let hasTurned = SerialState(true)
    /// How often a page was wanted, and how often it had been when the last one came.
    private let wishes: BehaviorSubject<Int>?
    private let served = SerialState(0)
    private let subscription: (any Disposable)?

    init(_ first: Cursor, _ wanted: Observable<Void>?) {
        place = SerialState(first)
        guard let wanted else {
            wishes = nil
            subscription = nil
            return
        }
        let wishes = BehaviorSubject(value: 0)
        self.wishes = wishes
        subscription = wanted.scan(0) { count, _ in count + 1 }.subscribe(wishes)
    }

    func turn(to cursor: Cursor?) {
        place.value = cursor
        hasTurned.value = true
        served.value = wishes?.value ?? 0
    }

    /// Sends once when a page is wanted that has not come.
    func granted() -> Observable<Void> {
        guard let wishes else { return .just(()) }
        return wishes.filter { [served] in $0 > served.value }.take(1).map { _ in () }
    }

    func dispose() {
        subscription?.dispose()
    }
}

/// The streams of the pages, the first of which is wanted by whoever subscribes.
private struct PageSequence<Cursor: Sendable, Page: Sendable>: Sequence, IteratorProtocol, Sendable {
    let turner: PageTurner<Cursor>
    let page: Observable<Page>
    var isFirst = true

    mutating func next() -> Observable<Page>? {
        // A stream that ends without a page, and a `wanted` that ends, is the end.
        guard turner.place.value != nil, turner.hasTurned.value else { return nil }
        turner.hasTurned.value = false
        defer { isFirst = false }
        return isFirst ? page : turner.granted().flatMap { [page] in page }
    }
}
