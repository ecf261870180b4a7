/// The paging scheme of a server: the way in which the query changes from page to page.
public struct Paging<Page: Sendable>: Sendable {
    let first: JSON
    let next: @Sendable (Page, JSON) throws -> JSON?

    /// - Parameters:
    ///   - first: the query of the first page, in addition to that of the chain.
    ///   - next: returns the query of the page after `page`, which had `query`; returns `nil` after the last page.
    public init(first: JSON, next: @escaping @Sendable (_ page: Page, _ query: JSON) throws -> JSON?) {
        self.first = first
        // `nil` is also a literal of JSON's null.
        self.next = { page, query in try next(page, query).flatMap { $0.isNull ? Optional.none : $0 } }
    }
}

extension Paging {
    /// Returns paging by offset: `offset=0&limit=20`, `offset=20&limit=20`, until a page has fewer items than its limit.
    public static func offset(
        _ offset: String = "offset", limit: String = "limit", size: Int, count: @escaping @Sendable (Page) -> Int
    ) -> Paging {
        let query: @Sendable (Int) -> JSON = { [offset: JSON($0), limit: JSON(size)] }
        return Paging(first: query(0)) { page, current in
            let count = count(page)
            return count > 0 && count >= size ? query((current[offset]?.int ?? 0) + count) : nil
        }
    }

    /// Returns paging by number: `page=1&per_page=20`, `page=2&per_page=20`, until a page has fewer items than its limit.
    public static func number(
        _ number: String = "page", from first: Int = 1, limit: String = "per_page", size: Int, count: @escaping @Sendable (Page) -> Int
    ) -> Paging {
        let query: @Sendable (Int) -> JSON = { [number: JSON($0), limit: JSON(size)] }
        return Paging(first: query(first)) { page, current in
            let count = count(page)
            return count > 0 && count >= size ? query((current[number]?.int ?? first) + 1) : nil
        }
    }

    /// Returns paging by a cursor in each page, until a page has none. The first page is requested without a cursor.
    public static func cursor(_ name: String = "cursor", next: @escaping @Sendable (Page) -> String?) -> Paging {
        Paging(first: [:]) { page, _ in
            next(page).flatMap { $0.isEmpty ? nil : [name: JSON($0)] }
        }
    }
}

extension Paging where Page: Collection {
    /// Returns paging by offset: `offset=0&limit=20`, `offset=20&limit=20`, until a page has fewer items than its limit.
    public static func offset(_ offset: String = "offset", limit: String = "limit", size: Int) -> Paging {
        .offset(offset, limit: limit, size: size) { $0.count }
    }

    /// Returns paging by number: `page=1&per_page=20`, `page=2&per_page=20`, until a page has fewer items than its limit.
    public static func number(_ number: String = "page", from first: Int = 1, limit: String = "per_page", size: Int) -> Paging {
        .number(number, from: first, limit: limit, size: size) { $0.count }
    }
}
