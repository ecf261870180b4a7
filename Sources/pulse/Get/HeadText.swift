import NetNodes
import TerminalViews

/// The heads of responses as text, and the lines of `--verbose` about a connection.
struct HeadText: Sendable {
    let palette: Palette
    /// Whether the text is for a terminal; otherwise the lines end as in HTTP.
    let isTerminal: Bool

    /// A line of a head, with its line break.
    func line(_ line: String) -> String {
        isTerminal ? colored(TerminalText.sanitized(line)) + "\n" : line + "\r\n"
    }

    fileprivate func colored(_ line: String) -> String {
        guard palette.isColored else { return line }
        if line.hasPrefix("HTTP/"), let blank = line.firstIndex(of: " ") {
            let rest = line[line.index(after: blank)...]
            return palette(.dim, line[..<blank]) + " " + palette(Palette.role(ofStatus: Int(rest.prefix(3)) ?? 0), rest)
        }
        guard let colon = line.firstIndex(of: ":") else { return palette(.strong, line) }
        return palette(.key, line[..<colon]) + line[colon...]
    }
}

/// The lines of `--verbose`: `*` for the connection, `>` for the request and `<` for the response.
struct VerboseText: Sendable {
    let palette: Palette
    let showsSecrets: Bool

    /// Returns the line; `nil` if it contains no information.
    func line(_ trace: CurlTransport.Trace) -> String? {
        switch trace {
        case .information(let text): Self.isOfInterest(Self.safe(text)) ? palette(.dim, "* " + Self.safe(text)) : nil
        case .sentHeader(let line): mark(">", line)
        case .receivedHeader(let line): mark("<", line)
        }
    }

    /// The times of the transfer in one line.
    func summary(_ metrics: HTTPResponse.Metrics) -> String {
        let phases = TransferPhases(metrics).all.map { "\($0.name) \(Wording.milliseconds($0.duration.milliseconds))" }
        let amounts = metrics.bytesSent > 0 ? ["\(Wording.bytes(metrics.bytesSent)) sent"] : []
        let total = "\(Wording.bytes(metrics.bytesReceived)) in \(Wording.milliseconds(metrics.total.milliseconds))"
        return palette(.dim, "* " + ([total] + amounts + phases).joined(separator: ", "))
    }

    private func mark(_ direction: String, _ line: String) -> String {
        palette(.dim, direction) + (line.isEmpty ? "" : " " + shown(line))
    }

    private func shown(_ line: String) -> String {
        let line = Self.safe(line)
        return HeadText(palette: palette, isTerminal: true).colored(showsSecrets ? line : Self.redacted(line))
    }

    /// Returns the line with `***` in place of the value of a secret header, and of one with a secret name in the query of a request line.
    private static func redacted(_ line: String) -> String {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        if words.count == 3, words[2].hasPrefix("HTTP/") {
            return "\(words[0]) \(Redactor().redacted(url: String(words[1]))) \(words[2])"
        }
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return line }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        return HTTPHeaders.Field(name: String(line[..<colon]), value: String(value)).description
    }

    /// Sanitizes the text before it is inspected: a hostile line can be one character of 200 KB, which takes seconds to compare.
    private static func safe(_ text: String) -> String { TerminalText.sanitized(text.trimmingCharacters(in: .whitespaces)) }

    /// Of libcurl's remarks, only those without secrets are shown: others repeat the headers of a request, or the URL of a proxy.
    private static func isOfInterest(_ text: String) -> Bool { harmlessBeginnings.contains(where: text.hasPrefix) }

    private static let harmlessBeginnings = [
        "Trying ", "Connected to ", "connect to ", "Failed to connect ", "Could not resolve ", "Re-using existing ", "Connection #",
        "Closing connection", "ALPN", "SSL connection using ", "Server certificate:", "subject:", "start date:", "expire date:", "issuer:",
        "subjectAltName:", "SSL certificate ", "using HTTP/", "Establish HTTP proxy tunnel", "CONNECT tunnel", "Recv failure",
        "Send failure",
        "Empty reply", "transfer closed", "OpenSSL SSL_", "GnuTLS", "Connection timed out", "Resolving timed out", "SSL: ",
    ]
}
