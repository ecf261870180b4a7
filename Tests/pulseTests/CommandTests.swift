import Foundation
import NetNodes
import StreamsTesting
import Testing

@testable import pulse

@Suite("Arguments are parsed, and a usage error is one line", .countsResources)
struct CommandTests {
    private func parse(_ line: String) throws -> Invocation {
        try Invocation(parsing: line.split(separator: " ").map(String.init))
    }

    private func url(_ text: String) throws -> URL {
        try #require(URL(string: text))
    }

    @Test func `Without arguments it is the demo, and help has its topics`() throws {
        #expect(try parse("") == .demo)
        #expect(try parse("--help") == .help(nil))
        #expect(try parse("help") == .help(nil))
        #expect(try parse("--version") == .version)
        #expect(try parse("help watch") == .help(.watch))
        #expect(try parse("get --help") == .help(.get))
        #expect(try parse("watch -h") == .help(.watch))
        #expect(try parse("help help") == .help(.help))
        #expect(try parse("--help get") == .help(.get))
        #expect(try parse("-h") == .help(nil))
        #expect(try parse("-V") == .version)
        #expect(try parse("man") == .manual)
        #expect(try parse("serve") == .serve(port: 8080))
        #expect(try parse("serve --port=0") == .serve(port: 0))
    }

    @Test func `A request has its method, headers, data and timeout`() throws {
        let words = ["get", "127.0.0.1:8080/a?b=1", "-X", "PUT", "-H", "A: 1", "-HB:2", "-d", "{}", "--timeout", "0.3"]
        let request = RequestOptions(
            url: try url("http://127.0.0.1:8080/a?b=1"), method: "PUT",
            headers: [.init(name: "A", value: "1"), .init(name: "B", value: "2")],
            content: .pieces([.text("{}")], type: "application/json"), timeout: .milliseconds(300)
        )
        #expect(try Invocation(parsing: words) == .get(GetOptions(request: request)))
        let form = RequestContent.pieces([.text("x"), .text("&"), .text("y=%C3%A9%20%26")], type: "application/x-www-form-urlencoded")
        #expect(
            try Invocation(parsing: ["get", "http://h", "-d", "x", "--data-urlencode", "y=é &"])
                == .get(GetOptions(request: RequestOptions(url: url("http://h"), method: "POST", content: form))))
    }

    @Test(
        arguments: [
            ("localhost:80/?u=http://x", "http://localhost:80/?u=http://x"), ("http:/h/p", "http://h/p"), ("http:///h/p", "http://h/p"),
            ("h/?filter[a]=caf%C3%A9", "http://h/?filter%5Ba%5D=caf%C3%A9"), ("h/100%", "http://h/100%25"),
            ("me:p%23@h", "http://me:p%23@h"), (":8080/x", "http://localhost:8080/x"), (":/x?a", "http://localhost/x?a"),
            (":80", "http://localhost:80"),
        ])
    func `A URL is read as by curl, and its escapes stay`(text: String, expected: String) throws {
        guard case .get(let options) = try Invocation(parsing: ["get", text]) else { throw UsageError("no get") }
        #expect(options.request.url.absoluteString == expected)
        guard case .get(let longer) = try Invocation(parsing: ["get", text, "-q", "k[]=é %"]) else { throw UsageError("no get") }
        #expect(longer.request.url.absoluteString.hasPrefix(expected))
        #expect(longer.request.url.absoluteString.hasSuffix("k%5B%5D=%C3%A9%20%25"))
        guard case .watch(let watch) = try Invocation(parsing: ["watch", text]) else { throw UsageError("no watch") }
        #expect(watch.targets.map(\.url.absoluteString) == [expected])
    }

    @Test func `A download has the request of get, and its file`() throws {
        let request = RequestOptions(url: try url("http://a/b%20c?d=e"), method: "GET", timeout: .seconds(3))
        #expect(
            try parse("download http://a/b%20c?d=e -O -t 3") == .download(DownloadOptions(request: request, target: URL(filePath: "b c"))))
        let named = DownloadOptions(
            request: request, target: URL(filePath: "/tmp/f"), replaces: true, display: DisplayOptions(hidesFailures: true))
        #expect(try parse("download http://a/b%20c?d=e -o /tmp/f -f --force -t3") == .download(named))
        #expect(try parse("get http://a/b%20c?d=e -o /tmp/f -f --force -t3") == .download(named))
    }

    @Test func `Endpoints are checked at an interval`() throws {
        var options = WatchOptions(interval: .seconds(2), timeout: .milliseconds(1500), isOnce: true, isJSON: true)
        options.targets = [WatchTarget(try url("http://a")), WatchTarget(try url("https://b/c"))]
        for index in options.targets.indices {
            (options.targets[index].interval, options.targets[index].timeout) = (.seconds(2), .milliseconds(1500))
        }
        #expect(try parse("watch a https://b/c --interval 2 -t1.5 --once --json") == .watch(options))
        #expect(try parse("watch -- a") == .watch(WatchOptions(targets: [WatchTarget(url("http://a"))])))
    }

    @Test(
        arguments: [
            ("wtach http://a", "pulse: unknown command 'wtach'; did you mean watch?"),
            ("frobnicate", "pulse: unknown command 'frobnicate'; see pulse --help"),
            ("http://a", "pulse: say what to do with the URL: pulse get URL, or pulse watch URL"),
            ("--hepl", "pulse: unknown flag '--hepl'; did you mean --help?"),
            ("-hepl", "pulse: unknown flag '-h…'; did you mean --help?"),
            ("watch http://a --onec", "pulse watch: unknown flag '--onec'; did you mean --once?"),
            ("watch http://a --intervall=3", "pulse watch: unknown flag '--intervall'; did you mean --interval?"),
            ("watch http://a --zzz", "pulse watch: unknown flag '--zzz'"),
            ("watch", "pulse watch: missing URL; see pulse help watch"),
            ("watch http://a --once=1", "pulse watch: --once takes no value"),
            ("watch http://a --interval", "pulse watch: --interval needs a value: SECONDS"),
            ("watch http://a --interval soon", "pulse watch: --interval is a time in seconds, such as 0.5, not 'soon'"),
            ("watch http://a --interval -1", "pulse watch: --interval is a time in seconds, such as 0.5, not '-1'"),
            ("watch http://a --interval 0x10", "pulse watch: --interval is a time in seconds, such as 0.5, not '0x10'"),
            ("watch http://a -t 1e2", "pulse watch: --timeout is a time in seconds, such as 0.5, not '1e2'"),
            ("watch http://a -i inf", "pulse watch: --interval is a time in seconds, such as 0.5, not 'inf'"),
            ("get http://a -t nan", "pulse get: --timeout is a time in seconds, such as 0.5, not 'nan'"),
            ("get http://a -t 0x1p4", "pulse get: --timeout is a time in seconds, such as 0.5, not '0x1p4'"),
            ("get http://a -t +1", "pulse get: --timeout is a time in seconds, such as 0.5, not '+1'"),
            ("get http://a -t 1.2.3", "pulse get: --timeout is a time in seconds, such as 0.5, not '1.2.3'"),
            ("get http://a -t .", "pulse get: --timeout is a time in seconds, such as 0.5, not '.'"),
            ("serve --port +80", "pulse serve: '+80' is not a port from 0 to 65535"),
            ("serve --port 80.0", "pulse serve: '80.0' is not a port from 0 to 65535"),
            ("--versoin", "pulse: unknown flag '--versoin'; did you mean --version?"),
            ("get", "pulse get: missing URL; see pulse help get"),
            ("get http://", "pulse get: 'http://' has no host"),
            ("get /path", "pulse get: '/path' has no host"),
            ("get ftp://h/x", "pulse get: 'ftp://h/x' is not supported: only http and https URLs are"),
            ("get http://h:99999/", "pulse get: 'http://h:99999/' has an invalid port"),
            ("get http://a http://b -o c", "pulse get: one URL expected with -o FILE, not 2; -O has a file for each"),
            ("get http://a http://b -d -", "pulse get: standard input can be sent to one URL only"),
            ("get http://a b", "pulse get: one of 2 arguments is no URL; a value with blanks needs quotes"),
            ("get http://a -H Authorization: a.b.c", "pulse get: one of 2 arguments is no URL; a value with blanks needs quotes"),
            ("get http://a -4 -6", "pulse get: either --ipv4 or --ipv6, not both"),
            ("get http://a --resolve h:80", "pulse get: --resolve is HOST:PORT:ADDRESS, not 'h:80'"),
            ("get http://a --color red", "pulse get: --color is always, never or auto, not 'red'"),
            ("get http://a --colr red", "pulse get: unknown flag '--colr'; did you mean --color?"),
            ("get http://a -w %{http_cod}", "pulse get: --write-out has no variable %{http_cod}; did you mean %{http_code}?"),
            ("get http://a -w %{time_total}%{zzz}", "pulse get: --write-out has no variable %{zzz}"),
            ("get http://a -w @/no/file", "pulse get: --write-out names a file that cannot be read: /no/file"),
            ("get http://a -c x", "pulse get: curl's -c is --session NAME here"),
            ("get http://a -l", "pulse get: curl's -l is for protocols other than HTTP"),
            ("get http://a -W", "pulse get: unknown flag '-W'; did you mean -w?"),
            ("get http://a -9", "pulse get: unknown flag '-9'"),
            ("watch http://a -4", "pulse watch: unknown flag '-4'"),
            ("watch http://a --color", "pulse watch: unknown flag '--color'"),
            ("get http://a -X G=T", "pulse get: 'G…' is not a method"),
            ("get http://a -H nocolon", "pulse get: header 1 is not of the form NAME:VALUE"),
            ("get http://a --timeout 0", "pulse get: --timeout is a time in seconds, such as 0.5, not '0'"),
            ("download", "pulse download: missing URL; see pulse help download"),
            ("download http://a", "pulse download: missing -o FILE, or -O for the name in the URL"),
            ("download http://a/b -O -o c", "pulse download: either -o FILE or -O, not both"),
            ("download http://a/b -o c/", "pulse download: -o needs the name of a file"),
            ("download http://a/b/ -O", "pulse download: 'http://a/b/' has no file name; use -o FILE"),
            ("download http://a -O", "pulse download: 'http://a' has no file name; use -o FILE"),
            ("download http://a/%2e%2e -O", "pulse download: 'http://a/%2e%2e' has no file name; use -o FILE"),
            ("download http://a/..%2Fb -O", "pulse download: 'http://a/..%2Fb' has no file name; use -o FILE"),
            ("download http://a/%0A -O", "pulse download: 'http://a/%0A' has no file name; use -o FILE"),
            ("download http://a -o b -H nocolon", "pulse download: header 1 is not of the form NAME:VALUE"),
            (
                "download http://a -o b -H range:bytes=0-1",
                "pulse download: no Range header can be given: an interrupted download is continued by itself"
            ),
            ("get http://a -T x -T y", "pulse get: one file expected with --upload-file, not 2"),
            ("get http://a http://b -T -", "pulse get: standard input can be sent to one URL only"),
            ("get http://a -T - -d x", "pulse get: either --data or --upload-file, not both"),
            ("get http://a -G --json a=b", "pulse get: --get sends --data in the query only"),
            ("get http://a -G a=b", "pulse get: --get sends --data in the query only"),
            ("get http://a -G -F a=b", "pulse get: --get sends --data in the query only"),
            ("get http://a -r ten", "pulse get: --range is such as 0-99, 500- or -500, not 'ten'"),
            ("get http://a -r -", "pulse get: --range is such as 0-99, 500- or -500, not '-'"),
            ("get http://a --form-string a", "pulse get: --form-string 1 is not of the form NAME=VALUE"),
            (
                "get http://a/b -O -r 0-1",
                "pulse get: no Range header can be given: an interrupted download is continued by itself"
            ),
            ("get http://a -C -", "pulse get: curl's -C is not needed: an interrupted download is continued by itself"),
            ("download http://a --max-redirs=-1", "pulse download: --max-redirects is a number from 0 to 1000, not '-1'"),
            ("get http://a -d a --json b=c", "pulse get: either --data or --json, not both"),
            ("get http://a -I -d a", "pulse get: --head takes no body"),
            ("get http://a --pretty --raw", "pulse get: either --pretty or --raw, not both"),
            ("get http://a --json a", "pulse get: --json 1 is not of the form NAME=TEXT or NAME:=JSON"),
            ("get http://a --json a=b --json c:=d", "pulse get: --json 2 is not JSON after NAME:="),
            ("get http://a --retry -1", "pulse get: --retry is a number from 0 to 1000, not '-1'"),
            ("completion", "pulse completion: missing shell: bash, zsh, fish"),
            ("completion tcsh", "pulse completion: 'tcsh' is not one of bash, zsh, fish"),
            ("downlaod http://a", "pulse: unknown command 'downlaod'; did you mean download?"),
            ("serve --port 99999", "pulse serve: '99999' is not a port from 0 to 65535"),
            ("serve now", "pulse serve: unexpected argument 'now'; see pulse help serve"),
            (
                "get http://a b=c -d d",
                "pulse get: NAME=TEXT after the URL is a part of a JSON body; beside --data write it with --data too"
            ),
            (
                "get http://a -F a=1 b=2",
                "pulse get: NAME=TEXT after the URL is a part of a JSON body; beside --form write it with --form too"
            ),
            ("get :", "pulse get: ':' has no host"), ("get :99999/", "pulse get: ':99999/' has an invalid port"),
            ("get http://a b:=x", "pulse get: --json 1 is not JSON after NAME:="),
            ("get http://a -b file", "pulse get: --cookie is NAME=VALUE; cookies are kept in a file by --session NAME"),
            ("get http://a --session a/b", "pulse get: --session is a name of letters, digits, - and _, not 'a/b'"),
            ("get http://a --netrc-optional", "pulse get: curl's --netrc-optional is --netrc here"),
            ("get http://a -Z", "pulse get: curl's -Z has no counterpart: several URLs are requested one after another"),
            ("get -V", "pulse get: curl's -V is pulse --version here"),
            ("--help wach", "pulse help: there is no command 'wach'; did you mean watch?"),
            ("help get watch", "pulse help: unexpected argument 'watch'; see pulse help help"),
            ("man watch", "pulse man: unexpected argument 'watch'; see pulse help man"),
            (
                "watch http://a --once --on-change x",
                "pulse watch: --once runs no alerts, its exit code tells: without --bell, --on-change and --alerts"
            ),
            ("help wach", "pulse help: there is no command 'wach'; did you mean watch?"),
        ])
    func `A usage error is reported in one line`(line: String, message: String) {
        #expect(throws: UsageError(message)) { try parse(line) }
    }

    @Test(arguments: [
        ["-d", "@FILE"], ["-F", "a=@FILE"], ["-F", "a=<FILE"], ["--json", "@FILE"], ["--json", "a=@FILE"], ["--json", "a:=@FILE"],
        ["-T", "FILE"], ["--data-urlencode", "@FILE"], ["--data-urlencode", "a@FILE"], ["-G", "-d", "@FILE"],
        ["-G", "--data-urlencode", "@FILE"],
    ])
    func `A file that cannot be read is named, and so is a folder`(flags: [String]) {
        for (path, reason) in [("/no/file", "No such file or directory"), ("/tmp", "Is a directory")] {
            let words = flags.map { $0.replacing("FILE", with: path) }
            let error = #expect(throws: TransportError.self) { try Invocation(parsing: ["get", "http://h"] + words) }
            #expect(error.map(ErrorWording.sentence)?.contains(path) == true)
            #expect(error.map(ErrorWording.sentence)?.contains(reason) == true, "\(words)")
        }
    }

    @Test func `A blank in a URL is named`() {
        #expect(throws: UsageError("pulse get: 'http://h/a…' has a blank in it, which is %20 in a URL")) {
            try Invocation(parsing: ["get", "http://h/a b"])
        }
    }

    @Test func `Flags of curl that change nothing are accepted, several in one word too`() throws {
        let plain = try parse("get -f -s http://a")
        for flags in ["-fsSL", "-fs --location --show-error", "-fsN", "-fs --no-buffer", "-fs --compressed", "-fsg", "-fs#", "-fs --http2"]
        {
            #expect(try parse("get \(flags) http://a") == plain)
        }
        #expect(try parse("download -o - http://a") == parse("get http://a"))
    }

    @Test func `Several URLs are requested one after another, each with a file of its own where there are files`() throws {
        #expect(try parse("get -f http://a b.c") == .each([parse("get -f http://a"), parse("get -f b.c")]))
        #expect(try parse("get -O http://a/x b.c/y") == .each([parse("get -O http://a/x"), parse("get -O b.c/y")]))
    }

    @Test func `Quoted text cannot control the terminal, and a header cannot inject a second one`() {
        #expect(throws: UsageError("pulse: unknown command '␛[2J'; see pulse --help")) { try Invocation(parsing: ["\u{1B}[2J"]) }
        #expect(throws: UsageError("pulse get: header 1 contains a line break or another control character")) {
            try Invocation(parsing: ["get", "http://h", "-H", "A: 1\r\nB: 2"])
        }
    }

    @Test(
        arguments: [
            ["get", "htp://user:hunter2@h/x?k=hunter2"], ["get", "http://user:hunter2@h:999999/x?k=hunter2"],
            ["get", "http://user:hun?hunter2@h/"], ["get", "http://user:hun/hunter2@h:x/"], ["get", "http://user:hunter2"],
            ["get", "http://user:a hunter2@h/"], ["get", "http://:hunter2@"], ["get", "ftp://h/x#hunter2"], ["get", "ftp://h/x;k=hunter2"],
            ["get", "Authorization: Bearer hunter2"], ["get", "Authorization:hunter2"], ["get", "mailto:hunter2@?hunter2@h"],
            ["get", "http://h", "-H", "Authorization Bearer hunter2"], ["get", "http://h", "-H", "hunter2"],
            ["get", "http://h", "-H", ":hunter2"], ["get", "http://h", "-H", "hunter2\n: a"], ["get", "http://h", "-H", "A: hunter2\r\n"],
            ["get", "http://h", "-H", "Authorization:", "Bearer", "hunter2"], ["get", "-H", "A:", "hunter2", "http://h"],
            ["get", "http://h", "-X", "Authorization: Bearer hunter2"], ["get", "http://h", "-t", "-1 hunter2"],
            ["get", "http://h", "-Puser:hunter2"], ["get", "http://h", "-phunter2"], ["get", "http://h", "--users=hunter2"],
            ["get", "http://h", "-iphunter2"], ["get", "-u", "a:hunter2"], ["get", "http://h", "--json", "hunter2"],
            ["get", "http://h", "--json", "a:=hunter2"], ["get", "http://h", "--json", "{hunter2"], ["get", "http://h", "-F", "hunter2"],
            ["get", "http://h", "-q", "hunter2"],
            ["get", "http://h", "-G", "--json", "hunter2"],
            ["get", "http://h", "--form-string", "hunter2"], ["get", "http://h", "--oauth2-bearer", "hunter2\n"],
            ["get", "http://h", "--retry", "=hunter2"],
            ["get", "http://h", "--user:hunter2"], ["watch", "http://h", "ws://user:hunter2@h/?a=hunter2"],
            ["user:hunter2@h"], ["http://user:hunter2@h"], ["serve", "--port", "token=hunter2"], ["serve", "user:hunter2@h"],
            ["help", "http://h?hunter2"], ["get", "http://h", "-X", "A B", "token=hunter2"],
            ["get", "http://h", "token:={hunter2"],
        ])
    func `No message shows a password, the value of a query or of a header`(words: [String]) throws {
        let error = #expect(throws: UsageError.self) { try Invocation(parsing: words) }
        let message = try #require(error?.description)
        #expect(!message.contains("hunter2"))
        #expect(message.hasPrefix("pulse"))
    }

    @Test(
        arguments: [
            ("http://h:99999/path", "'http://h:99999/path'"), ("http://[::1]:99999/", "'http://[::1]:99999/'"),
            ("htp://user:a@h/x?k=b", "'htp://…@h/x…'"), ("http://u:b@h/?c@d", "'http://…'"), ("/a:b/c", "'/a:b/c'"), ("a b", "'a…'"),
            ("", "''"),
        ])
    func `What is no secret still shows in a message`(text: String, quoted: String) {
        #expect(text.quotedForMessage == quoted)
    }

    @Test(arguments: Subcommand.all.map(\.name)) func `Each command has a help page with its flags`(name: String) throws {
        let subcommand = try #require(Subcommand.named(name))
        let page = Help.page(subcommand)
        #expect(subcommand.flags.allSatisfy { page.contains($0.name) })
        #expect(page.split(separator: "\n").allSatisfy { $0.count <= 120 })
        #expect(Help.page(nil).contains("pulse \(name)"))
        #expect(try parse("\(name) --help") == .help(subcommand))
    }
}
