import Foundation
import Testing

@testable import HTTPMessages

@Suite("Writing heads")
struct WritingTests {
    private func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
    }

    @Test func `A head is its lines and an empty one, and a field without a value has no blank`() {
        let bytes = MessageHead.bytes("HTTP/1.1 200 OK", ["A": "b", "Empty": "", "a": "ä"])
        #expect(lines(bytes) == ["HTTP/1.1 200 OK", "A: b", "Empty:", "a: ä", "", ""])
    }

    @Test func `What is written is read back, as a request and as a response`() {
        let headers: HTTPHeaders = ["Host": "a", "X": "b c", "Empty": "", "ETag": "\"ä\""]
        let request = MessageHead(.request(method: "PUT", target: "/b?c"), headers: headers)
        #expect(Parsed([request.bytes], as: .server).heads == [request])
        let response = MessageHead(.response(status: 204), headers: headers)
        #expect(Parsed([MessageHead.bytes("HTTP/1.1 204 No Content", headers)], as: .client).heads == [response])
    }

    @Test func `A request for a URL has one host, one length and the credentials of the URL`() throws {
        let url = try #require(URL(string: "http://user:p%40ss@a:81/b/../c?d#e"))
        let own: HTTPHeaders = ["X": "y", "content-length": "77"]
        #expect(
            lines(MessageHead("POST", url, own, bodyLength: 3).bytes) == [
                "POST /c?d HTTP/1.1", "Host: a:81", "Authorization: Basic dXNlcjpwQHNz", "X: y", "Content-Length: 3", "", "",
            ])
        let named = MessageHead("GET", url, ["host": "b", "Authorization": "Bearer t"])
        #expect(lines(named.bytes) == ["GET /c?d HTTP/1.1", "Host: b", "Authorization: Bearer t", "", ""])
    }

    @Test(arguments: [
        ("http://a/", "a"), ("http://a:80/", "a"), ("https://a:80/", "a:80"), ("https://a:443/", "a"), ("http://A:8080/", "a:8080"),
        ("http://[::1]:81/", "[::1]:81"), ("http://[fe80::1%25eth0]/", "[fe80::1]"),
    ])
    func `The host has the port that is not usual, and no zone`(address: String, host: String) throws {
        let url = try #require(URL(string: address))
        #expect(url.hostField.lowercased() == host)
        #expect(url.isNamed(byHost: "\(bracketed(url.plainHost?.lowercased() ?? "")):\(url.effectivePort)"))
    }
}
