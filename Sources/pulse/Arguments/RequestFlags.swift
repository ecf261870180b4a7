/// The flags of `pulse get` and `pulse download`.
enum RequestFlags {
    static let ofGet = [request, FlagSection(title: "Output", flags: shown + files), connection, ofCurl, accepted]
    static let ofDownload = [
        FlagSection(title: "Output", flags: files + shown.filter { sharedNames.contains($0.name) }), request, connection,
        ofCurl, accepted,
    ]

    private static let sharedNames: Set = ["--verbose", "--timing", "--fail", "--silent", "--show-secrets", "--write-out", "--color"]

    private static let request = FlagSection(
        title: "Request",
        flags: [
            Flag(
                "--method", short: "-X", value: "METHOD", help: "GET, or POST with a body",
                completion: .words(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])),
            Flag(
                "--header", short: "-H", value: "NAME:VALUE",
                help: "a header; may be repeated, also with the same name; NAME: removes one"),
            Flag("--query", short: "-q", value: "NAME=VALUE", help: "added to the query of the URL, encoded; may be repeated"),
            Flag(
                "--data", short: "-d", value: "DATA",
                help: "the body: text, @FILE, or - for standard input; several are joined with &",
                completion: .filesAfterAt),
            Flag(
                "--data-urlencode", value: "NAME=VALUE", help: "a field of a form, encoded; VALUE alone, or NAME@FILE",
                completion: .filesAfterAt),
            Flag(
                "--json", value: "DATA", help: "a JSON body: NAME=TEXT or NAME:=JSON for each member, or JSON, @FILE, -",
                completion: .filesAfterAt),
            Flag(
                "--form", short: "-F", value: "NAME=VALUE", help: "a multipart form: NAME=TEXT or NAME=@FILE[;type=TYPE] for each part",
                completion: .filesAfterAt),
            Flag(
                "--upload-file", short: "-T", value: "FILE", help: "the body with PUT: a file, or - for standard input while it comes",
                completion: .files),
            Flag("--user", short: "-u", value: "NAME[:PASSWORD]", help: "basic authentication; the password is asked for without echo"),
            Flag("--netrc", short: "-n", help: "name and password of the host in ~/.netrc, unless -u is given"),
            Flag("--netrc-file", value: "FILE", help: "the same, in FILE", completion: .files),
            Flag("--session", value: "NAME", help: "keep cookies, -H and -u of this host for later requests with the same NAME"),
        ])

    private static let ofCurl = FlagSection(
        title: "As in a line of curl",
        flags: [
            Flag("--request", value: "METHOD", help: "-X", counterpart: "--method"),
            Flag("--get", short: "-G", help: "send the data in the query"),
            Flag("--data-raw", value: "DATA", help: "-d, where @ and - are text"),
            Flag("--data-binary", value: "DATA", help: "-d", completion: .filesAfterAt, counterpart: "--data"),
            Flag("--data-ascii", value: "DATA", help: "-d", completion: .filesAfterAt, counterpart: "--data"),
            Flag("--form-string", value: "NAME=TEXT", help: "-F, where @, < and ; are text"),
            Flag("--range", short: "-r", value: "FROM-TO", help: "the header Range in bytes: 0-99, 500- or -500"),
            Flag("--oauth2-bearer", value: "TOKEN", help: "the header Authorization: Bearer TOKEN"),
            Flag("--cookie", short: "-b", value: "NAME=VALUE", help: "the header Cookie; several pairs are separated by ;"),
            Flag("--user-agent", short: "-A", value: "NAME", help: "the header User-Agent"),
            Flag("--referer", short: "-e", value: "URL", help: "the header Referer"),
            Flag("--max-redirs", value: "NUMBER", help: "--max-redirects", counterpart: "--max-redirects"),
            Flag("--url", value: "URL", help: "a URL"),
        ])

    private static let shown = [
        Flag("--include", short: "-i", help: "status line and headers before the body"),
        Flag("--head", short: "-I", help: "a HEAD request: only status line and headers"),
        Flag("--verbose", short: "-v", help: "connection, request, headers and timings on standard error, secrets as ***"),
        Flag("--timing", help: "a waterfall of the phases on standard error"),
        Flag("--fail", short: "-f", help: "print no body of a status of 400 or more; the exit code is then 22"),
        Flag("--pretty", help: "lay out JSON and decode the charset although the output is no terminal"),
        Flag("--raw", help: "print the bytes as the server sends them; they can control a terminal"),
        Flag(
            "--color", value: "WHEN", help: "always: colors and layout into a pipe too, for less -R; never; auto (auto)",
            completion: .words(["always", "never", "auto"])),
        Flag(
            "--write-out", short: "-w", value: "FORMAT", help: "print it at the end, such as '%{http_code} %{time_total}\\n', or @FILE",
            completion: .filesAfterAt),
        Flag("--curl", help: "send nothing: print the line that sends this request with curl"),
        Flag("--show-secrets", help: "show secrets with --verbose and --curl"),
        Flag("--silent", short: "-s", help: "no progress"),
    ]

    private static let files = [
        Flag(
            "--output", short: "-o", value: "FILE", help: "write to FILE, whole or not at all; see pulse help download", completion: .files),
        Flag("--remote-name", short: "-O", help: "write to the last component of the URL's path, in this folder"),
        Flag("--force", help: "replace an existing file, once the new one is complete"),
    ]

    private static let connection = FlagSection(
        title: "Connection",
        flags: [
            Flag(
                "--timeout", short: "-t", value: "SECONDS",
                help: "the longest time without a byte, such as 0.3 (30; none within event streams)"),
            Flag("--max-time", short: "-m", value: "SECONDS", help: "the longest time for everything (none)"),
            Flag("--connect-timeout", value: "SECONDS", help: "the longest time for the connection (15)"),
            Flag("--retry", value: "NUMBER", help: "further attempts after a transient failure, with growing delays (0)"),
            Flag("--follow", short: "-L", help: "follow redirects: the default"),
            Flag("--no-follow", help: "print a redirect instead of following it"),
            Flag("--max-redirects", value: "NUMBER", help: "the most redirects in a row (10)"),
            Flag("--insecure", short: "-k", help: "accept any certificate of the server"),
            Flag("--cacert", value: "FILE", help: "trusted authorities, PEM (SSL_CERT_FILE, else the system's)", completion: .files),
            Flag(
                "--cert", short: "-E", value: "FILE", help: "the certificate of this client, PEM, with its key unless --key",
                completion: .files),
            Flag("--key", value: "FILE", help: "the private key of --cert, PEM", completion: .files),
            Flag("--ipv4", short: "-4", help: "use IPv4 addresses only"),
            Flag("--ipv6", short: "-6", help: "use IPv6 addresses only"),
            Flag("--proxy", short: "-x", value: "URL", help: "the proxy (https_proxy, http_proxy); '' for none"),
            Flag("--resolve", value: "HOST:PORT:ADDRESS", help: "the address of a host, which is not looked up; may be repeated"),
            Flag("--http1.1", help: "HTTP/1.1 only"),
            Flag("--tlsv1.2", help: "TLS 1.2 or newer"),
            Flag("--tlsv1.3", help: "TLS 1.3 only"),
        ])

    private static let accepted = FlagSection(
        title: "Accepted, as curl has them, and without effect",
        flags: [
            Flag("--location", help: "redirects are followed"),
            Flag("--show-error", short: "-S", help: "an error is always one line"),
            Flag("--no-buffer", short: "-N", help: "output is printed as it is received"),
            Flag("--fail-with-body", help: "the body of a failure is printed without -f; the exit code is then 22 or 24"),
            Flag("--no-progress-meter", help: "progress is shown of downloads on a terminal only"),
            Flag("--basic", help: "the authentication of -u is basic"),
            Flag("--compressed", help: "compression is always offered, and removed"),
            Flag("--progress-bar", short: "-#", help: "progress is shown on a terminal"),
            Flag("--http2", help: "HTTP/2 is used wherever a server offers it"),
            Flag("--globoff", short: "-g", help: "no character of a URL is special"),
        ])
}
