import Foundation
import NetNodes
import StreamsTesting
import Testing

@testable import pulse

/// Every option that `curl --help all` lists, of 7.88 and of 8.17.
private let optionsOfCurl = """
    --abstract-unix-socket --alt-svc --anyauth -a --append --aws-sigv4 --basic --cacert --capath -E --cert --cert-status --cert-type
    --ciphers --compressed --compressed-ssh -K --config --connect-timeout --connect-to -C --continue-at -b --cookie -c --cookie-jar
    --create-dirs --create-file-mode --crlf --crlfile --curves -d --data --data-ascii --data-binary --data-raw --data-urlencode
    --delegation --digest -q --disable --disable-eprt --disable-epsv --disallow-username-in-url --dns-interface --dns-ipv4-addr
    --dns-ipv6-addr --dns-servers --doh-cert-status --doh-insecure --doh-url -D --dump-header --egd-file --engine --etag-compare
    --etag-save --expect100-timeout -f --fail --fail-early --fail-with-body --false-start -F --form --form-escape --form-string
    --ftp-account --ftp-alternative-to-user --ftp-create-dirs --ftp-method --ftp-pasv -P --ftp-port --ftp-pret --ftp-skip-pasv-ip
    --ftp-ssl-ccc --ftp-ssl-ccc-mode --ftp-ssl-control -G --get -g --globoff --happy-eyeballs-timeout-ms --haproxy-protocol -I --head
    -H --header -h --help --hostpubmd5 --hostpubsha256 --hsts --http0.9 -0 --http1.0 --http1.1 --http2 --http2-prior-knowledge
    --http3 --http3-only --ignore-content-length -i --include -k --insecure --interface -4 --ipv4 -6 --ipv6 --json -j
    --junk-session-cookies --keepalive-time --key --key-type --krb --libcurl --limit-rate -l --list-only --local-port -L --location
    --location-trusted --login-options --mail-auth --mail-from --mail-rcpt --mail-rcpt-allowfails -M --manual --max-filesize
    --max-redirs -m --max-time --metalink --negotiate -n --netrc --netrc-file --netrc-optional -: --next --no-alpn -N --no-buffer
    --no-clobber --no-keepalive --no-npn --no-progress-meter --no-sessionid --noproxy --ntlm --ntlm-wb --oauth2-bearer -o --output
    --output-dir -Z --parallel --parallel-immediate --parallel-max --pass --path-as-is --pinnedpubkey --post301 --post302 --post303
    --preproxy -# --progress-bar --proto --proto-default --proto-redir -x --proxy --proxy-anyauth --proxy-basic --proxy-cacert
    --proxy-capath --proxy-cert --proxy-cert-type --proxy-ciphers --proxy-crlfile --proxy-digest --proxy-header --proxy-insecure
    --proxy-key --proxy-key-type --proxy-negotiate --proxy-ntlm --proxy-pass --proxy-pinnedpubkey --proxy-service-name
    --proxy-ssl-allow-beast --proxy-ssl-auto-client-cert --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword
    --proxy-tlsuser --proxy-tlsv1 -U --proxy-user --proxy1.0 -p --proxytunnel --pubkey -Q --quote --random-file -r --range --rate
    --raw -e --referer -J --remote-header-name -O --remote-name --remote-name-all -R --remote-time --remove-on-error -X --request
    --request-target --resolve --retry --retry-all-errors --retry-connrefused --retry-delay --retry-max-time --sasl-authzid --sasl-ir
    --service-name -S --show-error -s --silent --socks4 --socks4a --socks5 --socks5-basic --socks5-gssapi --socks5-gssapi-nec
    --socks5-gssapi-service --socks5-hostname -Y --speed-limit -y --speed-time --ssl --ssl-allow-beast --ssl-auto-client-cert
    --ssl-no-revoke --ssl-reqd --ssl-revoke-best-effort -2 --sslv2 -3 --sslv3 --stderr --styled-output --suppress-connect-headers
    --tcp-fastopen --tcp-nodelay -t --telnet-option --tftp-blksize --tftp-no-options -z --time-cond --tls-max --tls13-ciphers
    --tlsauthtype --tlspassword --tlsuser -1 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tr-encoding --trace --trace-ascii
    --trace-time --unix-socket -T --upload-file --url --url-query -B --use-ascii -u --user -A --user-agent -v --verbose -V --version
    -w --write-out --xattr --ca-native --dump-ca-embed --ech --expand-data --follow --haproxy-clientip --ip-tos --ipfs-gateway
    --keepalive-cnt --knownhosts --mptcp --out-null --parallel-max-host --proxy-ca-native --proxy-http2 --sigalgs --skip-existing
    --tls-earlydata --trace-config --trace-ids --upload-flags --variable --vlan-priority
    """
    .split(whereSeparator: \.isWhitespace).map(String.init)

/// Every option that `http --help` lists, of 3.2.4.
private let optionsOfHTTPie = """
    --json -j --form -f --multipart --boundary --raw --compress -x --chunked --pretty --style -s --unsorted --sorted --response-charset
    --response-mime --format-options --print -p --headers -h --meta -m --body -b --verbose -v --all --history-print -P --stream -S --output -o
    --download -d --continue -c --quiet -q --session --session-read-only --auth -a --auth-type -A --ignore-netrc --offline --proxy --follow -F
    --max-redirects --max-headers --timeout --check-status --path-as-is --verify --ssl --ciphers --cert --cert-key --cert-key-pass
    --ignore-stdin -I --help --manual --version --traceback --default-scheme --debug
    """
    .split(whereSeparator: \.isWhitespace).map(String.init)

@Suite("Each option of curl", .countsResources)
struct CurlOptionTests {
    private var flags: Set<String> { Set(Subcommand.get.completedFlags.flatMap { [$0.name, $0.short].compactMap(\.self) }) }

    @Test func `Each is a flag, or is answered with what there is in its place`() {
        #expect(optionsOfCurl.count > 270)
        for option in optionsOfCurl {
            guard !flags.contains(option) else { continue }
            let error = #expect(throws: UsageError.self) { try Invocation(parsing: ["get", "http://h", option, "value"]) }
            #expect(error?.description.hasPrefix("pulse get: curl's \(option) ") == true, "\(option): \(error?.description ?? "")")
            #expect((error?.description.count ?? 0) < 120)
        }
    }

    @Test func `One that is a flag has no other answer`() {
        for option in optionsOfCurl where flags.contains(option) { #expect(CurlOption.replacement(of: option) == nil, "\(option)") }
    }

    @Test func `Each one of httpie is a flag, or is answered, too`() {
        #expect(optionsOfHTTPie.count > 50)
        for option in optionsOfHTTPie where !flags.contains(option) {
            let error = #expect(throws: UsageError.self) { try Invocation(parsing: ["get", "http://h", option, "value"]) }
            let message = error?.description ?? ""
            #expect(["pulse get: curl's \(option) ", "pulse get: httpie's \(option) "].contains(where: message.hasPrefix), "\(message)")
        }
    }

    @Test func `What is none of curl's is unknown`() {
        for word in ["--nothing", "--prox", "-W", "--proxyuser"] { #expect(CurlOption.replacement(of: word) == nil) }
    }

    private func request(_ words: String...) throws -> RequestOptions {
        guard case .get(let options) = try Invocation(parsing: ["get"] + words) else { throw UsageError("no get") }
        return options.request
    }

    @Test(
        arguments: [
            (["http://h/?a=1", "-G", "-d", "b=2", "-d", "c=3"], "http://h/?a=1&b=2&c=3"),
            (["http://h", "--get", "--data-urlencode", "q=a b&c#é"], "http://h?q=a%20b%26c%23%C3%A9"),
            (["http://h/?", "-G", "-d", "b=2#3 4"], "http://h/?b=2%233%204"),
            (["http://h/#top", "-G", "-d", "b=100%", "-q", "a=1"], "http://h/?a=1&b=100%25#top"),
            (["http://h/", "-G"], "http://h/"), (["http://h/", "-G", "-d", ""], "http://h/"),
            (["http://h/", "-G", "--data-raw", "@x", "-d", "\n\u{0}é"], "http://h/?@x&%0A%00%C3%A9"),
        ])
    func `--get puts the data into the query`(words: [String], url: String) throws {
        guard case .get(let options) = try Invocation(parsing: ["get"] + words) else { throw UsageError("no get") }
        #expect(options.request.url.absoluteString == url)
        #expect(options.request.method == "GET" && options.request.content == nil)
    }

    @Test func `--get leaves a method that is given, and takes the text of a file without its line breaks`() throws {
        let file = try TestFolder()
        let path = try file.file("a", "x=1\r\ny=é\n")
        #expect(try request("http://h", "-G", "-d", "@\(path)").url.absoluteString == "http://h?x=1y=%C3%A9")
        #expect(try request("http://h", "-G", "-d", "a", "-I").method == "HEAD")
        #expect(try request("http://h", "-G", "-d", "a", "-X", "DELETE").method == "DELETE")
    }

    @Test(
        arguments: [
            ("a=b c", "a=b%20c"), ("=b c", "b%20c"), ("b c", "b%20c"), ("a%5B%5D=[]", "a%5B%5D=%5B%5D"), ("a b=%", "a%20b=%25"),
            ("a=", "a="),
            ("a=b@c", "a=b%40c"), ("", ""),
        ])
    func `--data-urlencode has the forms of curl`(value: String, body: String) throws {
        let content = try request("http://h", "--data-urlencode", value).content
        #expect(content == .pieces([.text(body)], type: "application/x-www-form-urlencoded"))
    }

    @Test func `--data-urlencode encodes the bytes of a file`() throws {
        let folder = try TestFolder()
        let file = folder.url.appending(path: "a")
        try Data([0xFF, 0x0A, 0x41]).write(to: file)
        let content = try request("http://h", "--data-urlencode", "n@\(file.path)", "--data-urlencode", "@\(file.path)").content
        #expect(content == .pieces([.text("n=%FF%0AA"), .text("&"), .text("%FF%0AA")], type: "application/x-www-form-urlencoded"))
    }

    @Test(
        arguments: [
            ("http://h/", "http://h/a%20%23%3Fb.txt"), ("http://h", "http://h/a%20%23%3Fb.txt"),
            ("http://h/x/?k=v", "http://h/x/a%20%23%3Fb.txt?k=v"),
            ("http://h/x", "http://h/x"), ("http://h/x?k=/", "http://h/x?k=/"),
        ])
    func `--upload-file puts a file into a folder under its own name`(address: String, url: String) throws {
        let folder = try TestFolder()
        let path = try folder.file("a #?b.txt", "x")
        let request = try request(address, "-T", path)
        #expect(request.url.absoluteString == url)
        #expect(request.method == "PUT" && request.content == .upload(.file(URL(filePath: path))))
        #expect(try self.request("http://h/x/", "-T", "-").url.absoluteString == "http://h/x/")
    }

    @Test func `A form has texts, the texts of files, and types`() throws {
        let folder = try TestFolder()
        let path = try folder.file("t.txt", "a;b\n")
        let words = [
            "-F", "a={\"b\":1};type=application/json; charset=utf-8", "-F", "b=x;y=z;type=none", "-F", "c=<\(path)", "--form-string",
            "d=@e;type=a/b",
            "-F", "e=<\(path);type=text/csv", "-F", "f=@\(path);type=text/x;charset=latin1",
        ]
        guard case .get(let options) = try Invocation(parsing: ["get", "http://h"] + words) else { throw UsageError("no get") }
        let data = { (text: String) in MultipartForm.Part.Content.data(Data(text.utf8)) }
        let file = MultipartForm.Part.file("f", URL(filePath: path), type: "text/x;charset=latin1")
        #expect(
            options.request.content
                == .form([
                    .init(name: "a", content: data("{\"b\":1}"), type: "application/json; charset=utf-8"), .field("b", "x;y=z;type=none"),
                    .field("c", "a;b\n"), .field("d", "@e;type=a/b"), .init(name: "e", content: data("a;b\n"), type: "text/csv"), file,
                ]))
    }

    @Test(
        arguments: [
            (["-r", "0-99"], "Range: bytes=0-99"), (["--range", "-500"], "Range: bytes=-500"), (["-r", "5-"], "Range: bytes=5-"),
            (["-r", "0-1,5-9"], "Range: bytes=0-1,5-9"), (["--oauth2-bearer", "t.o-k"], "Authorization: Bearer t.o-k"),
        ])
    func `One that stands for a header has it`(words: [String], header: String) throws {
        guard case .get(let options) = try Invocation(parsing: ["get", "http://h"] + words) else { throw UsageError("no get") }
        #expect(options.request.headers.map { "\($0.name): \($0.value ?? "")" } == [header])
    }

    @Test func `One that says which version of TLS is the least one is kept`() throws {
        #expect(try request("https://h", "--tlsv1.2").security.minimumVersion == .tls12)
        #expect(try request("https://h", "--tlsv1.2", "--tlsv1.3").security.minimumVersion == .tls13)
        #expect(try request("https://h").security.minimumVersion == nil)
    }
}
