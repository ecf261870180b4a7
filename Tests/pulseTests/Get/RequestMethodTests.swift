import StreamsTesting
import Testing

@testable import pulse

@Suite("A method before the URL", .countsResources)
struct RequestMethodTests {
    @Test(
        arguments: [
            (["get", "POST", "h", "a=b"], ["get", "h", "a=b", "-X", "POST"]), (["get", "put", "h/x"], ["get", "h/x", "-X", "PUT"]),
            (["get", "HEAD", "h"], ["get", "h", "-I"]), (["get", "-H", "A:b", "DELETE", "h"], ["get", "h", "-H", "A:b", "-X", "DELETE"]),
            (["get", "GET", "h", "a=b"], ["get", "h", "a=b", "-X", "GET"]), (["post", "h", "a=b"], ["get", "h", "a=b", "-X", "POST"]),
            (["DELETE", "h"], ["get", "h", "-X", "DELETE"]), (["head", "h"], ["get", "h", "-I"]),
            (["GET", "h"], ["get", "h", "-X", "GET"]),
            (["patch", "-d", "x", "h"], ["get", "h", "-d", "x", "-X", "PATCH"]), (["get", "post"], ["get", "http://post"]),
            (["get", "POST", "--url", "h", "a=b"], ["get", "h", "a=b", "-X", "POST"]),
            (["get", "a=b", "--url", "h"], ["get", "h", "a=b"]),
            (["options", "h.a", "h/x"], ["get", "h.a", "h/x", "-X", "OPTIONS"]),
            (["download", "POST", "h", "-o", "f"], ["get", "h", "-X", "POST", "-o", "f"]),
        ])
    func `It is that of the request`(words: [String], meant: [String]) throws {
        #expect(try Invocation(parsing: words) == Invocation(parsing: meant))
    }

    @Test(
        arguments: [
            (["get", "POST"], "pulse get: missing URL; see pulse help get"), (["post"], "pulse get: missing URL; see pulse help get"),
            (["get", "POST", "h", "-X", "PUT"], "pulse get: either POST or --method, not both"),
            (["put", "h", "--request", "PUT"], "pulse get: either PUT or --method, not both"),
            (["head", "h", "a=b"], "pulse get: --head takes no body"),
            (["watch", "POST", "http://h", "-d"], "pulse watch: unknown flag '-d'"),
            (["get", "POST", "PUT", "http://h"], "pulse get: one of 2 arguments is no URL; a value with blanks needs quotes"),
        ])
    func `One that cannot be meant is a usage error`(words: [String], message: String) {
        #expect(throws: UsageError(message)) { try Invocation(parsing: words) }
    }
}
