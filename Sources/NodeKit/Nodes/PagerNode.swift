public import Streams

/// Requests one page after another; the input is the cursor of the first page.
///
/// The next page is requested only after the previous one was delivered and, with `wanted`, only after `wanted` has emitted since then.
/// After a disposal no further page is requested. Operator: `pages(from:wanted:onFailure:next:page:)`.
public struct PagerNode<Cursor: Sendable, Page: Sendable>: Node {
    private let wanted: Observable<Void>?
    private let onFailure: @Sendable (any Error) -> Observable<Void>
    private let nextCursor: @Sendable (Page, Cursor) throws -> Cursor?
    private let page: any Node<Cursor, Page>

    /// - Parameters:
    ///   - page: requests the page at a cursor.
    ///   - wanted: emits when a further page is wanted; without it all pages are requested.
    ///   - onFailure: returns a stream whose next element triggers a retry of the failed page. By default the stream fails.
    ///   - next: returns the cursor of the next page, or `nil` after the last one.
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
