import Foundation
import NodeKit
import StreamsTesting
import Testing

@testable import NetNodes

/// The nodes that store responses, and the operators that the page about NodeKit names for them.
@Suite("Storing responses by a node or by its operator", .countsResources)
struct StoringStepTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Docs/ComingFromNodeKit.md")

    private func isStored(_ store: (any ResponseCache, HTTPRequest) -> Observable<HTTPResponse>, _ request: HTTPRequest) -> Bool {
        let cache = MemoryResponseCache()
        #expect(store(cache, request).ended().elements.count == 1)
        return cache.response(for: CachedResponse.Key(request)).ended().elements != [nil]
    }

    @Test(
        arguments: [
            (["ETag": "\"1\""], true), (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], true), (["Cache-Control": "max-age=60"], false),
            ([:], false),
        ] as [(HTTPHeaders, Bool)])
    func `Both keep the same responses, with a validator and without`(headers: HTTPHeaders, hasValidator: Bool) throws {
        let request = HTTPRequest(.get, try "http://h/teas".url())
        let response = HTTPResponse.text("green", headers: headers, to: request)
        let next = AnyNode<HTTPRequest, HTTPResponse> { _ in .just(response) }
        let stream = Observable.just(response)
        #expect(isStored({ URLCacheWriterNode(cache: $0, next: next).stream($1) }, request))
        #expect(isStored({ stream.storing(in: $0, for: $1) }, request))
        #expect(isStored({ ETagSaverNode(cache: $0, next: next).stream($1) }, request) == hasValidator)
        #expect(isStored({ stream.storingValidated(in: $0, for: $1) }, request) == hasValidator)
    }

    @Test func `The page names one operator for each of them`() throws {
        let rows = try String(contentsOf: Self.page, encoding: .utf8)
        #expect(rows.contains("\n| `URLCacheWriterNode` | `storing(in:for:varying:)` |"))
        #expect(rows.contains("\n| `ETagSaverNode` | `storingValidated(in:for:varying:)` |"))
    }
}
