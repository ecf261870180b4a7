import Foundation
import StreamsTesting
import Testing

@testable import NetNodes

@Suite("URLQuery", .onOneThread, .countsResources)
struct URLQueryTests {
    private func decoded(_ query: URLQuery) -> String {
        query.text.removingPercentEncoding ?? ""
    }

    @Test func `Booleans, arrays and objects are encoded by strategy`() {
        #expect(decoded(URLQuery(["f": true])) == "f=1")
        #expect(decoded(URLQuery(["f": true], booleans: .words)) == "f=true")
        #expect(decoded(URLQuery(["arr": ["a", 23, false]])) == "arr[]=a&arr[]=23&arr[]=0")
        #expect(decoded(URLQuery(["arr": ["a", 23, false]], arrays: .repeated)) == "arr=a&arr=23&arr=0")
        #expect(decoded(URLQuery(["arr": ["a", "b"]], arrays: .custom { "\($0)_\($1)" })) == "arr_0=a&arr_1=b")
        #expect(decoded(URLQuery(["dict": ["name": "bob", "age": 23]])) == "dict[age]=23&dict[name]=bob")
        #expect(decoded(URLQuery(["dict": ["name": "bob"]], objects: .dots)) == "dict.name=bob")
        #expect(decoded(URLQuery(["a": [["b": 1]], "n": nil])) == "a[][b]=1")
    }

    @Test func `Delimiters in names and values are escaped`() {
        #expect(URLQuery(["a b": "+&=é"]).text == "a%20b=%2B%26%3D%C3%A9")
    }

    @Test(
        arguments: [
            ("http://h/p", "http://h/p?x=1"), ("http://h/p?a=2", "http://h/p?a=2&x=1"), ("http://h/p?a=2#f", "http://h/p?a=2&x=1#f"),
            ("http://h", "http://h?x=1"), ("http://h/p?", "http://h/p?x=1"),
        ])
    func `A query stands beside the one that the route has`(url: String, expected: String) throws {
        #expect(try url.url().adding(URLQuery(["x": 1])).absoluteString == expected)
        #expect(try url.url().adding(URLQuery([:])).absoluteString == url)
    }

    @Test(
        arguments: [
            ("http://h", "users", "http://h/users"), ("http://h/", "/users", "http://h/users"), ("http://h/a?k=1", "b", "http://h/a/b?k=1"),
        ])
    func `A path is added with one slash`(base: String, path: String, expected: String) throws {
        #expect(try (URL(string: base) + path).absoluteString == expected)
    }

    @Test func `An impossible URL is a typed error`() {
        #expect(throws: HTTPRequest.RouteFailure.impossibleURL("users")) { try "users".url() }
        #expect(throws: HTTPRequest.RouteFailure.impossibleURL("http://")) { try "http://".url() }
        #expect(throws: HTTPRequest.RouteFailure.missingBase(path: "users")) { try nil + "users" }
    }

    @Test(
        arguments: [
            ("https://bob:pw@h/p?token=abc&x=1#frag", "https://h/p?token=***&x=***"), ("http://h", "http://h"),
            ("http://h/?abc", "http://h/?***"),
        ])
    func `Secrets in a URL are not shown`(url: String, expected: String) {
        #expect(redactedURL(url) == expected)
    }
}
