import Foundation
import NetNodes

/// The format of `--write-out`, with the variables of curl.
///
/// Source: [curl, --write-out](https://curl.se/docs/manpage.html#-w).
struct WriteOut: Equatable {
    private enum Piece: Equatable {
        case text(String)
        case variable(Variable)
        case header(String)
    }

    private enum Variable: String, CaseIterable {
        case responseCode = "response_code"
        case httpCode = "http_code"
        case httpVersion = "http_version"
        case method, scheme, url
        case effectiveURL = "url_effective"
        case redirectURL = "redirect_url"
        case redirects = "num_redirects"
        case contentType = "content_type"
        case remoteAddress = "remote_ip"
        case bytesReceived = "size_download"
        case bytesSent = "size_upload"
        case speed = "speed_download"
        case nameLookup = "time_namelookup"
        case connect = "time_connect"
        case secureConnect = "time_appconnect"
        case pretransfer = "time_pretransfer"
        case firstByte = "time_starttransfer"
        case redirecting = "time_redirect"
        case total = "time_total"
        case exitCode = "exitcode"
        case error = "errormsg"
    }

    private let pieces: [Piece]

    /// - Throws: `UsageError`.
    init(parsing text: String, place: String) throws {
        pieces = try Self.pieces(of: text.hasPrefix("@") ? Self.contents(of: String(text.dropFirst()), place) : text, place)
    }

    private static func contents(of path: String, _ place: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path == "-" ? "/dev/stdin" : path) else {
            throw UsageError("\(place) names a file that cannot be read: \(path)")
        }
        return String(decoding: data, as: UTF8.self)
    }

    private static func pieces(of format: String, _ place: String) throws -> [Piece] {
        var (pieces, rest) = ([Piece](), format[...])
        while let match = rest.firstMatch(of: /%%|\\[nrt\\]|%\{(\w*)\}|%header\{([^}]*)\}/) {
            pieces.append(.text(String(rest[..<match.range.lowerBound])))
            rest = rest[match.range.upperBound...]
            if let name = match.2 {
                pieces.append(.header(String(name)))
            } else if let name = match.1 {
                pieces.append(.variable(try variable(String(name), place)))
            } else {
                pieces.append(.text(escapes[String(match.0)] ?? ""))
            }
        }
        return pieces + [.text(String(rest))]
    }

    private static func variable(_ name: String, _ place: String) throws -> Variable {
        if let variable = Variable(rawValue: name) { return variable }
        let hint = nearestWord(to: name, among: Variable.allCases.map(\.rawValue)).map { "; did you mean %{\($0)}?" } ?? ""
        throw UsageError("\(place) has no variable %{\(name)}\(hint)")
    }

    private static let escapes = ["%%": "%", "\\n": "\n", "\\r": "\r", "\\t": "\t", "\\\\": "\\"]

    /// Returns the text about a transfer, which may have failed before it had a response.
    func text(_ summary: ResponseSummary, of request: PreparedRequest, code: Int32, _ error: (any Error)?) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .header(let name): summary.head?.headers[name] ?? ""
            case .variable(.exitCode): "\(code)"
            case .variable(.error): error.map(ErrorWording.sentence) ?? ""
            case .variable(let variable): Self.value(variable, request, summary.head) ?? Self.measured(variable, summary.metrics)
            }
        }.joined()
    }

    private static func value(_ variable: Variable, _ request: PreparedRequest, _ head: HTTPResponse.Head?) -> String? {
        let url = head?.url ?? request.url
        switch variable {
        case .responseCode, .httpCode:
            let digits = String(head?.status ?? 0)
            return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        case .method: return request.method.rawValue
        case .scheme: return url.scheme ?? ""
        case .url: return request.url.absoluteString
        case .effectiveURL: return url.absoluteString
        case .redirectURL:
            guard let head, (300..<400).contains(head.status), let location = head.headers["Location"] else { return "" }
            return URL(lenient: location, relativeTo: url)?.absoluteString ?? ""
        case .contentType: return head?.headers["Content-Type"] ?? ""
        default: return nil
        }
    }

    /// Returns the value of a variable. Times are counted from the beginning, in seconds.
    private static func measured(_ variable: Variable, _ metrics: HTTPResponse.Metrics?) -> String {
        let begin = metrics?.redirecting ?? .zero
        let time = { (time: Duration?) in seconds(time.map { begin + $0 } ?? .zero) }
        switch variable {
        case .httpVersion: return metrics?.protocolName.map { String($0.dropFirst("HTTP/".count)) } ?? "0"
        case .redirects: return "\(metrics?.redirects ?? 0)"
        case .remoteAddress: return metrics?.remoteAddress ?? ""
        case .bytesReceived: return "\(metrics?.bytesReceived ?? 0)"
        case .bytesSent: return "\(metrics?.bytesSent ?? 0)"
        case .speed:
            guard let metrics, metrics.total > .zero else { return "0" }
            return "\(Int64(Double(metrics.bytesReceived) / (metrics.total / .seconds(1))))"
        case .nameLookup: return time(metrics?.nameLookup)
        case .connect: return time(metrics?.connect)
        case .secureConnect: return time(metrics?.secureConnect)
        case .pretransfer: return time(metrics?.secureConnect ?? metrics?.connect)
        case .firstByte: return time(metrics?.firstByte)
        case .redirecting: return seconds(begin)
        default: return seconds(metrics?.total ?? .zero)
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        let microseconds = Int64((duration / .microseconds(1)).rounded())
        let fraction = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)"
    }
}
