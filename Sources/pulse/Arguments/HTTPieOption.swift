/// The replacements for the options of httpie.
///
/// Source: [httpie, the documentation](https://httpie.io/docs/cli).
enum HTTPieOption {
    /// Returns the replacement of an option of httpie; `nil` if it has no such option, or curl has one of the name.
    static func replacement(of name: String) -> String? { replacements[name] }

    private static let always = CurlOption.always
    private static let none = CurlOption.none
    private static let replacements = [
        "--auth": "is --user NAME:PASSWORD here", "--auth-type": "is --user NAME:PASSWORD, or --oauth2-bearer TOKEN, here",
        "--ignore-netrc": always + ".netrc is read with --netrc only", "--multipart": "is --form NAME=VALUE here",
        "--boundary": none + "one is made that is in no part", "--compress": none + "the body is sent as it is",
        "--chunked": "is --upload-file here, of a pipe or of standard input",
        "--check-status": always + "the exit code tells a failure", "--ignore-stdin": always + "it is read with - only",
        "--stream": always + "a response is printed while it is received",
        "--body": always + "the body is printed alone without -i", "--headers": "is -i here, or -I with a HEAD request",
        "--print": "is -i or -v here", "--history-print": "is -i or -v here", "--all": "is -i here", "--meta": "is --timing or -v here",
        "--quiet": "is -s here, with > /dev/null", "--download": "is -O here, or -o FILE",
        "--continue": always + "it is continued by itself",
        "--verify": "is --cacert FILE, or --insecure for no, here", "--cert-key": "is --key here",
        "--cert-key-pass": none + "decrypt the key first",
        "--offline": "is --curl here", "--session-read-only": none + "a --session is kept",
        "--style": "is --color here", "--sorted": none + "the order is the server's",
        "--unsorted": always + "the order is the server's", "--format-options": none + "see --pretty and --raw",
        "--response-charset": none + "the declared one is used; see --raw", "--response-mime": none + "see --pretty and --raw",
        "--max-headers": none + "the limit is built in", "--default-scheme": "is https:// before the URL here",
        "--debug": "is -v here", "--traceback": "is -v here",
    ]
}
