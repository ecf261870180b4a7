/// The replacements for the options of curl that have no flag of the same name.
///
/// Source: [curl, the manual page](https://curl.se/docs/manpage.html).
enum CurlOption {
    /// Returns the replacement of a curl option; `nil` if curl has no such option.
    static func replacement(of name: String) -> String? {
        if let replacement = replacements[name] { return replacement }
        if let group = groups.first(where: { $0.names.contains(name) }) { return group.replacement }
        return prefixes.first { name.hasPrefix($0.prefix) }?.replacement
    }

    private struct Group {
        let names: Set<String>
        let replacement: String

        init(_ replacement: String, _ names: String) {
            self.names = Set(names.split(whereSeparator: \.isWhitespace).map(String.init))
            self.replacement = replacement
        }
    }

    static let always = "is not needed: "
    static let none = "has no counterpart: "

    private static let replacements: [String: String] = [
        // Letters that httpie has too, for something else.
        "-a": "is for protocols other than HTTP, and httpie's is --user here",
        "-p": "is --proxy URL here, and httpie's is -i or -v", "--url-query": "is --query here", "--cookie-jar": "is --session NAME here",
        "-c": "is --session NAME here",
        "--location-trusted": none + "secrets are not sent to another host",
        "--dump-header": "is -i here", "-D": "is -i here", "--libcurl": "is --curl here",
        "--stderr": "is 2> FILE of the shell here", "--styled-output": "is --color here",
        "--no-clobber": always + "an existing file is not replaced without --force",
        "--skip-existing": always + "an existing file is not replaced without --force",
        "--remove-on-error": always + "a file is written whole or not at all",
        "--create-dirs": none + "create the folder first", "--output-dir": "is -o DIR/FILE here",
        "--remote-name-all": "is -O here, for all URLs", "--remote-header-name": none + "name the file with -o FILE",
        "-J": none + "name the file with -o FILE",
        "--noproxy": "is the environment variable no_proxy here", "--capath": "is --cacert FILE here",
        "--proxy-user": "is --proxy http://NAME:PASSWORD@HOST:PORT here", "-U": "is --proxy http://NAME:PASSWORD@HOST:PORT here",
        "--netrc-optional": "is --netrc here", "--connect-to": "is --resolve HOST:PORT:ADDRESS here",
        "--version": "is pulse --version here", "-V": "is pulse --version here", "--manual": "is pulse man here", "-M": "is pulse man here",
        "--disable": always + "no file of flags is read", "--time-cond": "is -H 'If-Modified-Since: DATE' here",
        "-z": "is -H 'If-Modified-Since: DATE' here", "--etag-compare": "is -H 'If-None-Match: ETAG' here",
        "--etag-save": "is -i here, which shows the ETag", "--tcp-nodelay": always + "nothing is held back",
        "--retry-connrefused": always + "--retry repeats it", "--retry-all-errors": none + "--retry repeats transient failures",
        "--retry-delay": none + "--retry waits 1, 2, 4 ... seconds", "--retry-max-time": none + "--retry waits 1, 2, 4 ... seconds",
        "--limit-rate": none + "a slower reader slows the transfer", "--max-filesize": none + "-I shows the length first",
        "--config": none + "--session NAME keeps headers and the user", "-K": none + "--session NAME keeps headers and the user",
        "--unix-socket": none + "requests are sent over TCP", "--abstract-unix-socket": none + "requests are sent over TCP",
        "--path-as-is": none + "/../ in a path is resolved", "--request-target": none + "the target is that of the URL",
    ]

    private static let groups = [
        Group(always + "an interrupted download is continued by itself", "--continue-at -C"),
        Group("is -v here", "--trace --trace-ascii --trace-time --trace-ids --trace-config"),
        Group("is --timeout SECONDS here, the longest time without a byte", "--speed-limit -Y --speed-time -y"),
        Group(
            none + "several URLs are requested one after another",
            "--parallel -Z --parallel-immediate --parallel-max --parallel-max-host --next -: --rate --fail-early"),
        Group(
            none + "only http and https URLs are requested",
            "--proto --proto-default --proto-redir --ipfs-gateway"),
        Group(
            none + "authentication is -u, or a header with -H",
            """
            --digest --ntlm --ntlm-wb --negotiate --anyauth --aws-sigv4 --delegation --service-name --login-options --sasl-authzid --sasl-ir
            """),
        Group(
            none + "HTTP/2 is used over TLS, and HTTP/1.1 otherwise",
            "--http0.9 --http1.0 -0 --http2-prior-knowledge --http3 --http3-only --alt-svc --hsts"),
        Group(
            none + "see --cacert, --cert, --key, --tlsv1.2 and --tlsv1.3",
            """
            --cert-status --cert-type --key-type --pass --pinnedpubkey --crlfile --engine --egd-file --random-file --false-start --ciphers
            --tls13-ciphers --tls-max --curves --no-alpn --no-npn --no-sessionid --sslv2 -2 --sslv3 -3 --tlsv1 -1 --tlsv1.0 --tlsv1.1
            --tls-earlydata --sigalgs --ca-native --dump-ca-embed --ech --ssl-allow-beast --ssl-auto-client-cert --ssl-no-revoke
            --ssl-revoke-best-effort --tlsauthtype --tlspassword --tlsuser
            """),
        Group(
            "is --proxy URL here, with the protocol in the URL",
            "--proxy1.0 --preproxy --socks4 --socks4a --socks5 --socks5-hostname --proxytunnel --haproxy-protocol --haproxy-clientip"),
        Group(
            none + "the system looks names up; see --resolve, --ipv4 and --ipv6",
            "--dns-interface --dns-ipv4-addr --dns-ipv6-addr --dns-servers --doh-url --doh-insecure --doh-cert-status"),
        Group(
            none + "the connection is the system's",
            """
            --interface --local-port --tcp-fastopen --keepalive-time --keepalive-cnt --no-keepalive --happy-eyeballs-timeout-ms --ip-tos
            --vlan-priority --mptcp
            """),
        Group(
            none + "a redirect changes POST to GET, except those of 307 and 308", "--post301 --post302 --post303"),
        Group(
            none + "see pulse help get",
            """
            --create-file-mode --crlf --disallow-username-in-url --expect100-timeout --form-escape --ignore-content-length
            --junk-session-cookies -j --metalink --out-null --remote-time -R --suppress-connect-headers --tr-encoding --use-ascii -B --variable
            --xattr
            """),
        Group(
            "is for protocols other than HTTP",
            """
            --append --compressed-ssh --disable-eprt --disable-epsv --hostpubmd5 --hostpubsha256 --knownhosts --krb --list-only -l -P
            --pubkey --quote -Q --ssl --ssl-reqd --telnet-option --upload-flags
            """),
    ]

    private static let prefixes = [
        (prefix: "--proxy-", replacement: "has no counterpart: a proxy is --proxy URL"),
        (prefix: "--socks5-", replacement: "has no counterpart: a proxy is --proxy URL"),
        (prefix: "--expand-", replacement: "has no counterpart: the shell expands variables"),
        (prefix: "--ftp-", replacement: "is for protocols other than HTTP"),
        (prefix: "--mail-", replacement: "is for protocols other than HTTP"),
        (prefix: "--tftp-", replacement: "is for protocols other than HTTP"),
    ]
}
