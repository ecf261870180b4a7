import NetNodes
import StreamsTesting
import Testing

@testable import pulse

@Suite("What --verbose shows has no secrets", .countsResources)
struct VerboseTextTests {
    private let text = VerboseText(palette: .none, showsSecrets: false)

    @Test(
        arguments: [
            "h2h3 [authorization: Basic hunter2]", "[HTTP/2] [1] [cookie: id=hunter2]",
            "Uses proxy env variable http_proxy == 'http://ada:hunter2@h'", "Issue another request to this URL: 'http://h/?token=hunter2'",
            "",
        ])
    func `Of libcurl's remarks only known ones are shown`(remark: String) {
        #expect(text.line(.information(remark)) == nil)
    }

    @Test(
        arguments: [
            ("GET /a?token=hunter2&b&page=2 HTTP/1.1", "> GET /a?token=***&b&page=2 HTTP/1.1"), ("GET /a HTTP/2", "> GET /a HTTP/2"),
            ("GET http://ada:hunter2@h/;jsessionid=hunter2?a=b HTTP/1.1", "> GET http://h/;jsessionid=***?a=b HTTP/1.1"),
            ("Authorization: Bearer hunter2", "> Authorization: ***"), ("X-Api-Key:hunter2", "> X-Api-Key: ***"),
            ("Accept: */*", "> Accept: */*"), ("Access-Control-Allow-Credentials: true", "> Access-Control-Allow-Credentials: true"),
            ("", ">"), ("Host: a\u{1B}[2J", "> Host: a␛[2J"),
        ])
    func `Secret headers and secret values of a query are redacted, the rest is shown as it was typed`(line: String, shown: String) {
        #expect(text.line(.sentHeader(line)) == shown)
        #expect(VerboseText(palette: .none, showsSecrets: true).line(.sentHeader("Cookie: hunter2")) == "> Cookie: hunter2")
    }

    @Test func `A terminal shows heads in colors, a pipe as they were received`() {
        let head = HeadText(palette: .full, isTerminal: true)
        #expect(head.line("HTTP/1.1 404 Not Found") == "\u{1B}[2mHTTP/1.1\u{1B}[m \u{1B}[1;33m404 Not Found\u{1B}[m\n")
        #expect(head.line("A: b\u{1B}") == "\u{1B}[36mA\u{1B}[m: b␛\n")
        #expect(HeadText(palette: .none, isTerminal: false).line("A: b\u{1B}") == "A: b\u{1B}\r\n")
    }
}

@Suite("The waterfall shows where the time of a transfer goes", .countsResources)
struct WaterfallTests {
    @Test func `Each phase begins where the one before it ends, and the shortest is visible`() {
        let metrics = HTTPResponse.Metrics(
            nameLookup: .microseconds(10), connect: .milliseconds(20), secureConnect: .milliseconds(60), firstByte: .milliseconds(90),
            total: .milliseconds(200), redirects: 1, redirecting: .milliseconds(100))
        let lines = Waterfall(palette: .none, width: 48, isASCII: true).lines(metrics)
        #expect(
            lines == [
                "redirect        100 ms  ##########", "name lookup    0.01 ms            #", "connect        20.0 ms            ##",
                "TLS            40.0 ms              ####", "wait           30.0 ms                  ###",
                "body           10.0 ms                     #", "total           200 ms",
            ])
    }

    @Test func `A reused connection has no phases of its own, and no time at all is shown too`() {
        let metrics = HTTPResponse.Metrics(
            nameLookup: .milliseconds(1), connect: .milliseconds(2), firstByte: .milliseconds(5), total: .milliseconds(8),
            reusedConnection: true)
        #expect(TransferPhases(metrics).all.map(\.name) == ["wait", "body"])
        #expect(Waterfall(palette: .none, width: 0, isASCII: false).lines(HTTPResponse.Metrics()).count == 2)
    }
}
