internal import Bytes
import Foundation
import NetNodes

extension Subcommand {
    static let get = Subcommand(
        name: "get",
        operand: "URL",
        summary: "send one request and print the response",
        usages: ["get [METHOD] URL [ITEM...] [flags]"],
        description: """
            Sends one request and prints the body of the response while it is received, whatever its status; of a failure also
            one line on standard error. On a terminal JSON is laid out and colored, the declared charset is decoded, and control
            characters are made visible; into a pipe go the bytes as received.

            An ITEM is NAME=TEXT or NAME:=JSON, a member of a JSON body; NAME==TEXT, a part of the query; or NAME:VALUE, a
            header, unless it could be a host with its port. METHOD is POST, PUT and so on; pulse post URL means
            pulse get POST URL. A line of curl is taken too: pulse get curl URL -H ... --data-raw ...
            """,
        examples: """
            pulse get api.example.com/users -u admin              ask for the password
            pulse get api.example.com/users name=Ada admin:=true page==2 X-Trace:7
            pulse get shop.example.com/login --session me user=ada
            pulse delete api.example.com/users/7
            tar c folder | pulse get -T - example.com/folder.tar  an upload from a pipe
            pulse get example.com/upload -F photo=@a.jpg -F title=Holidays
            pulse get example.com/disk.img -O                     a file, continued after an interruption
            pulse get example.com --timing > /dev/null            where the time goes
            """,
        sections: RequestFlags.ofGet,
        completion: .urls,
        exitCodes: transferCodes
    ) { reader in
        // If a file is given, the request is a download.
        let isDownload = !reader.has("--curl") && (reader.has("--output") || reader.has("--remote-name"))
        return try reader.withItems().transfers { try isDownload ? reader.download($0, $1) : reader.printing($0, $1) }
    }

    static let download = Subcommand(
        name: "download",
        operand: "URL",
        summary: "write a response into a file, continuing an interrupted download",
        usages: ["download URL -o FILE [flags]", "download URL -O [flags]"],
        description: """
            Writes the body of the response into FILE.part, and renames it to FILE when it is complete.
            A download that was interrupted is continued by the same command, if the server supports it
            and its file is still the same (ETag or Last-Modified); otherwise it begins anew, and FILE.part is
            kept until then. On a terminal, the progress is shown.
            A device or a named pipe as FILE takes the bytes as they come. pulse get with -o or -O does the same.
            """,
        sections: RequestFlags.ofDownload,
        completion: .urls,
        exitCodes: transferCodes
    ) { reader in
        try reader.withItems().transfers { try reader.download($0, $1) }
    }

    private static let transferCodes = """
        0; 2 usage; 6 host not found; 7 no connection; 18, 52, 56 no whole response; 22 status 4xx; 23 output;
        24 status 5xx; 28 timeout; 35, 60 no secure connection; 130 after Ctrl-C. See pulse help for all.
        """
}

extension ArgumentReader {
    /// Returns the commands for the URLs, to be run one after another.
    fileprivate func transfers(_ transfer: (RequestOptions, DisplayOptions) throws -> Invocation) throws -> Invocation {
        // Beside other words, a single word is probably part of a value without quotes, and may be a secret. After `-H NAME:` a token with
        // dots may be one too.
        let mayBeValues = allValues("--header").contains { $0.hasSuffix(":") }
        let isAddress: (String) -> Bool = { word in mayBeValues ? word.contains("://") : word.contains { "./:".contains($0) } }
        guard operands.count < 2 || operands.allSatisfy(isAddress) else {
            throw UsageError("pulse \(command): one of \(operands.count) arguments is no URL; a value with blanks needs quotes")
        }
        // The flags are read once: a pipe that they name is empty the second time.
        let (content, query, display) = (try content(command: command), try query(command: command), try display(command: command))
        let commands = try operands.map { try transfer(request(to: $0, query, content), display) }
        guard let first = commands.first else { throw UsageError("pulse \(command): missing URL; see pulse help \(command)") }
        guard commands.count > 1 else { return first }
        guard !has("--output") || value("--output") == "-" else {
            throw UsageError("pulse \(command): one URL expected with -o FILE, not \(commands.count); -O has a file for each")
        }
        guard content?.readsStandardInput != true else {
            throw UsageError("pulse \(command): standard input can be sent to one URL only")
        }
        return .each(commands)
    }

    fileprivate func printing(_ request: RequestOptions, _ display: DisplayOptions) throws -> Invocation {
        .get(GetOptions(request: request, display: display, printsCommand: has("--curl")))
    }

    /// Returns the request that the flags and an operand describe.
    ///
    /// - Throws: `UsageError`.
    private func request(to address: String, _ query: [String], _ content: RequestContent?) throws -> RequestOptions {
        guard !has("--head") || content == nil else { throw UsageError("pulse \(command): --head takes no body") }
        var url = try endpoint(address, command: command)
        if let name = content?.uploadName, url.path(percentEncoded: true).isEmpty || url.hasDirectoryPath {
            url.append(component: name)
        }
        var options = RequestOptions(
            url: url.adding(query),
            method: value("--method") ?? (has("--head") ? "HEAD" : content?.usualMethod ?? "GET"),
            headers: try headers(command: command),
            content: content,
            user: value("--user").map(RequestOptions.Credentials.init(parsing:)),
            netrc: try netrc(), session: try value("--session").map { try SessionName($0, command: command) }
        )
        guard options.method.allSatisfy({ $0.isASCII && $0.isLetter || $0 == "-" }), !options.method.isEmpty else {
            throw UsageError("pulse \(command): \(options.method.quotedForMessage) is not a method")
        }
        try readConnection(into: &options, command: command)
        return options
    }

    private func netrc() throws -> URL? {
        if let path = value("--netrc-file") { return URL(filePath: path) }
        guard has("--netrc") else { return nil }
        guard let home = ProcessInfo.processInfo.environment["HOME"], home.hasPrefix("/") else {
            throw UsageError("pulse \(command): --netrc needs the environment variable HOME")
        }
        return URL(filePath: home).appending(path: ".netrc")
    }

    private func readConnection(into options: inout RequestOptions, command: String) throws {
        options.timeout = try duration("--timeout", command: command)
        options.maximumTime = try duration("--max-time", command: command)
        if let connect = try duration("--connect-timeout", command: command) { options.connectTimeout = connect }
        options.retries = try number("--retry", upTo: 1000, command: command) ?? 0
        let limit = try number("--max-redirects", upTo: 1000, command: command)
        options.redirects = has("--no-follow") ? .deliver : .follow(limit: limit ?? 10)
        options.network = try network(command: command)
        options.security = RequestOptions.Security(
            verifiesServer: !has("--insecure"), authorities: value("--cacert"), certificate: value("--cert"), key: value("--key"),
            minimumVersion: has("--tlsv1.3") ? .tls13 : has("--tlsv1.2") ? .tls12 : nil)
    }

    private func network(command: String) throws -> CurlTransport.Network {
        guard !has("--ipv4") || !has("--ipv6") else { throw UsageError("pulse \(command): either --ipv4 or --ipv6, not both") }
        var network = CurlTransport.Network()
        network.addressFamily = has("--ipv4") ? .v4 : has("--ipv6") ? .v6 : nil
        if let proxy = value("--proxy") { network.proxy = proxy.isEmpty ? .none : .server(url: proxy) }
        network.addresses = try allValues("--resolve").map { try addresses($0, command: command) }
        network.httpVersion = has("--http1.1") ? .http1 : .negotiated
        return network
    }

    private func addresses(_ text: String, command: String) throws -> CurlTransport.Network.HostAddresses {
        guard let match = text.wholeMatch(of: /([^:\s]+):(\d{1,5}):([^\s]+)/), let port = Int(match.2) else {
            throw UsageError("pulse \(command): --resolve is HOST:PORT:ADDRESS, not \(text.quotedForMessage)")
        }
        return CurlTransport.Network.HostAddresses(
            host: String(match.1), port: port, addresses: match.3.split(separator: ",").map(String.init))
    }

    /// Returns the parts of the exchange that are shown.
    func display(command: String) throws -> DisplayOptions {
        guard !has("--pretty") || !has("--raw") else { throw UsageError("pulse \(command): either --pretty or --raw, not both") }
        return DisplayOptions(
            includesHead: has("--include") || has("--head"), isVerbose: has("--verbose"), showsTiming: has("--timing"),
            hidesFailures: has("--fail"), showsSecrets: has("--show-secrets"), isSilent: has("--silent"),
            layout: has("--pretty") ? .pretty : has("--raw") ? .raw : .automatic, color: try color(),
            writeOut: try value("--write-out").map { try WriteOut(parsing: $0, place: "pulse \(command): --write-out") }
        )
    }

    private func color() throws -> Palette.Choice {
        guard let text = value("--color") else { return .automatic }
        guard let choice = Palette.Choice(rawValue: text) else {
            throw UsageError("pulse \(command): --color is always, never or auto, not \(text.quotedForMessage)")
        }
        return choice
    }

    /// Returns the download of a request into the one named file; `-` is standard output.
    fileprivate func download(_ request: RequestOptions, _ display: DisplayOptions) throws -> Invocation {
        guard has("--remote-name") || value("--output") != "-" else { return try printing(request, display) }
        guard !request.headers.contains(where: { $0.name.lowercased() == "range" }) else {
            throw UsageError("pulse \(command): no Range header can be given: an interrupted download is continued by itself")
        }
        let target = try target(for: request.url, command: command)
        return .download(DownloadOptions(request: request, target: target, replaces: has("--force"), display: display))
    }

    private func target(for url: URL, command: String) throws -> URL {
        switch (value("--output"), has("--remote-name")) {
        case (nil, false): throw UsageError("pulse \(command): missing -o FILE, or -O for the name in the URL")
        case (_?, true): throw UsageError("pulse \(command): either -o FILE or -O, not both")
        case (let path?, false):
            guard !path.isEmpty, !path.hasSuffix("/") else { throw UsageError("pulse \(command): -o needs the name of a file") }
            return URL(filePath: path)
        case (nil, true):
            guard let name = url.fileName else {
                throw UsageError("pulse \(command): \(url.absoluteString.quotedForMessage) has no file name; use -o FILE")
            }
            return URL(filePath: name)
        }
    }

    /// Returns the headers of `--header`, and those that have flags of their own.
    private func headers(command: String) throws -> [RequestOptions.Header] {
        var headers = try allValues("--header").enumerated().map { try header($1, number: $0 + 1, command: command) }
        for (flag, name) in [("--user-agent", "User-Agent"), ("--referer", "Referer"), ("--cookie", "Cookie")] {
            guard let text = value(flag) else { continue }
            guard flag != "--cookie" || text.contains("=") || text.isEmpty else {
                throw UsageError("pulse \(command): --cookie is NAME=VALUE; cookies are kept in a file by --session NAME")
            }
            headers.append(try header("\(name):\(text)", number: headers.count + 1, command: command))
        }
        if let token = value("--oauth2-bearer") {
            headers.append(try header("Authorization:Bearer \(token)", number: headers.count + 1, command: command))
        }
        if let range = value("--range") {
            guard range.wholeMatch(of: /(\d+-\d*|-\d+)(,(\d+-\d*|-\d+))*/) != nil else {
                throw UsageError("pulse \(command): --range is such as 0-99, 500- or -500, not \(range.quotedForMessage)")
            }
            headers.append(RequestOptions.Header(name: "Range", value: "bytes=\(range)"))
        }
        return headers
    }

    /// Returns `NAME:VALUE`, `NAME;` without a value, or `NAME:`, which removes the header. A message identifies an invalid header by its
    /// number, because any part of it may be a secret.
    private func header(_ text: String, number: Int, command: String) throws -> RequestOptions.Header {
        let isBlank = text.hasSuffix(";") && !text.contains(":")
        let parts = (isBlank ? "\(text.dropLast()):" : text).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].trimmingCharacters(in: .whitespaces)
        guard parts.count == 2, !name.isEmpty else {
            throw UsageError("pulse \(command): header \(number) is not of the form NAME:VALUE")
        }
        guard !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
            throw UsageError("pulse \(command): header \(number) contains a line break or another control character")
        }
        let value = parts[1].trimmingCharacters(in: .whitespaces)
        return RequestOptions.Header(name: name, value: value.isEmpty && !isBlank ? nil : value)
    }
}

extension RequestOptions.Credentials {
    init(parsing text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        self.init(name: parts[0], password: parts.count == 2 ? parts[1] : nil)
    }
}

extension URL {
    /// The last component of the path, decoded; `nil` if it cannot be the name of a file in the current folder.
    fileprivate var fileName: String? {
        let encoded = path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false).last.map(String.init)
        guard let name = encoded?.removingPercentEncoding, !["", ".", ".."].contains(name) else { return nil }
        return name.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") } ? nil : name
    }

    /// The URL with these items added to its query. What cannot stand there is encoded.
    fileprivate func adding(_ items: [String]) -> URL {
        let items = items.filter { !$0.isEmpty }
        guard !items.isEmpty else { return self }
        let parts = absoluteString.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let separator = !parts[0].contains("?") ? "?" : parts[0].hasSuffix("?") ? "" : "&"
        // A blank at the end and `#` would not be part of the query.
        let added = items.joined(separator: "&").utf8.escaped { (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "#") }
        return URL(lenient: "\(parts[0])\(separator)\(added)" + parts.dropFirst().map { "#\($0)" }.joined()) ?? self
    }
}
