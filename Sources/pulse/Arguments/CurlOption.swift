/// The names that curl's options have here, for users of curl.
enum CurlOption {
    /// Returns what to use instead of an option of curl; `nil` for one that curl does not have, or whose counterpart has the same name.
    static func replacement(of name: String) -> String? { replacements[name] }

    private static let always = "is not needed: "
    private static let replacements: [String: String] = [
        "--request": "is -X here, or --method",
        "--data-raw": "is -d here", "--data-binary": "is -d here: bytes are never changed", "--data-ascii": "is -d here",
        "--form-string": "is -F here", "--upload-file": "is -X PUT -d @FILE here", "-T": "is -X PUT -d @FILE here",
        "--get": "is --query NAME=VALUE here", "-G": "is --query NAME=VALUE here", "--url-query": "is --query here",
        "--user-agent": "is -H 'User-Agent: NAME' here", "-A": "is -H 'User-Agent: NAME' here",
        "--referer": "is -H 'Referer: URL' here", "-e": "is -H 'Referer: URL' here",
        "--cookie": "is -H 'Cookie: NAME=VALUE' here", "-b": "is -H 'Cookie: NAME=VALUE' here",
        "--range": "is -H 'Range: bytes=0-99' here", "-r": "is -H 'Range: bytes=0-99' here",
        "--oauth2-bearer": "is -H 'Authorization: Bearer TOKEN' here",
        "--location": "is -L here, and the default", "--location-trusted": "has no counterpart: secrets are not sent to another host",
        "--max-redirs": "is --max-redirects here",
        "--write-out": "is --timing or -v here", "-w": "is --timing or -v here",
        "--dump-header": "is -i here", "-D": "is -i here", "--trace": "is -v here", "--trace-ascii": "is -v here",
        "--continue-at": always + "an interrupted download is continued by itself",
        "-C": always + "an interrupted download is continued by itself",
        "--compressed": always + "compression is always offered, and removed",
        "--no-buffer": always + "output is printed as it is received", "-N": always + "output is printed as it is received",
        "--show-error": always + "an error is always one line", "-S": always + "an error is always one line",
        "--progress-bar": always + "progress is shown on a terminal", "-#": always + "progress is shown on a terminal",
        "--no-progress-meter": "is -s here",
        "--fail-with-body": always + "without -f the body of a failure is printed, and the exit code tells",
        "--globoff": always + "no character of a URL is special", "-g": always + "no character of a URL is special",
        "--create-dirs": "has no counterpart: create the folder first",
        "--proxy": "is the environment variable https_proxy or http_proxy here",
        "-x": "is the environment variable https_proxy or http_proxy here",
        "--noproxy": "is the environment variable no_proxy here", "--capath": "is --cacert FILE here",
        "--url": always + "the URL stands by itself",
    ]
}
