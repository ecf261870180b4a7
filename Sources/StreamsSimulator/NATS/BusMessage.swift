import Foundation

/// A message of a simulated bus; its headers are the block of the protocol, or empty.
struct BusMessage: Equatable {
    var subject: String
    var reply: String?
    var headers: [UInt8] = []
    var payload: [UInt8] = []

    /// Returns a message of the server itself: a status, and its text.
    static func status(_ status: String, to subject: String, _ fields: [(String, String)] = []) -> BusMessage {
        let lines = ["NATS/1.0 \(status)"] + fields.map { "\($0): \($1)" }
        return BusMessage(subject: subject, headers: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    }

    var size: Int { headers.count + payload.count }

    /// The first value of a header.
    func header(_ name: String) -> String? {
        guard !headers.isEmpty else { return nil }
        for line in String(decoding: headers, as: UTF8.self).split(separator: "\r\n").dropFirst() {
            guard let colon = line.firstIndex(of: ":"), line[..<colon] == name else { continue }
            return String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        return nil
    }

    /// Returns the bytes that the subscription with this number receives.
    func encoded(for id: Int, subject: String) -> [UInt8] {
        let reply = reply.map { "\($0) " } ?? ""
        let line =
            headers.isEmpty
            ? "MSG \(subject) \(id) \(reply)\(payload.count)\r\n" : "HMSG \(subject) \(id) \(reply)\(headers.count) \(size)\r\n"
        return Array(line.utf8) + headers + payload + [0x0D, 0x0A]
    }
}

/// A subject, in parts; a pattern may have wildcards.
struct BusSubject: Equatable {
    let text: String
    private let parts: [Substring]

    init(_ text: String) {
        self.text = text
        parts = text.split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Whether messages to `subject` match this pattern.
    func matches(_ subject: BusSubject) -> Bool {
        for (index, wanted) in parts.enumerated() {
            guard index < subject.parts.count else { return false }
            if wanted == ">" { return true }
            guard wanted == "*" || wanted == subject.parts[index] else { return false }
        }
        return parts.count == subject.parts.count
    }

    /// Whether a subject can match both patterns.
    func overlaps(_ other: BusSubject) -> Bool {
        for (mine, theirs) in zip(parts, other.parts) {
            if mine == ">" || theirs == ">" { return true }
            guard mine == theirs || mine == "*" || theirs == "*" else { return false }
        }
        return parts.count == other.parts.count
    }
}

/// JSON with the names that the server uses.
enum BusJSON {
    static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws(BusError) -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        do { return try decoder.decode(type, from: Data(bytes)) } catch { throw .malformed }
    }

    static func object(_ value: some Encodable) -> Any {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return (try? JSONSerialization.jsonObject(with: encoder.encode(value))) ?? [:]
    }
}

/// Times in the format of the server, with nanoseconds since 1970.
enum BusTime {
    static func text(_ nanoseconds: Int64) -> String {
        let date = Date(timeIntervalSince1970: Double(nanoseconds / 1_000_000) / 1_000)
        return date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    }

    static func nanoseconds(_ text: String) -> Int64? {
        let style = Date.ISO8601FormatStyle.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(
            separator: .omitted)
        return ((try? Date(text, strategy: style)) ?? (try? Date(text, strategy: .iso8601)))
            .map { Int64(($0.timeIntervalSince1970 * 1_000).rounded()) * 1_000_000 }
    }
}
