import Foundation

/// One event of a `text/event-stream`.
///
/// Source: [HTML, 9.2 Server-sent events](https://html.spec.whatwg.org/multipage/server-sent-events.html).
public struct ServerSentEvent: Sendable, Equatable {
    /// The last identifier that was sent, with this event or an earlier one; it is used to resume after a lost connection.
    public var id: String?
    /// The event type, `message` by default.
    public var name: String
    /// The text, with multiple lines joined by line feeds.
    public var data: String

    /// Creates an event, for tests.
    public init(id: String? = nil, name: String = "message", data: String) {
        self.id = id
        self.name = name
        self.data = data
    }
}

/// The reason why a response is not an event stream.
public enum ServerSentEventError: Error, Equatable, Sendable {
    /// The response has another content type.
    case notAnEventStream(contentType: String, url: String)
    /// An event exceeds the limit.
    case eventTooLong(limit: Int)
}

extension ServerSentEventError: LocalizedError, CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAnEventStream(let type, let url): "\(url) does not send events but has the content type \(type.isEmpty ? "none" : type)."
        case .eventTooLong(let limit): "An event is longer than \(limit) bytes."
        }
    }

    public var errorDescription: String? { description }
}

/// Parses events incrementally from bytes, however they are split.
///
/// The parser is a value: a copy continues from the state of the original. An incomplete event at the end is ignored.
package struct ServerSentEventParser: Sendable {
    /// The maximum length of an event, in bytes.
    package let limit: Int
    /// The last identifier that was sent.
    package private(set) var lastEventID: String?
    /// The reconnection delay requested by the server.
    package private(set) var reconnectionTime: Duration?

    private var line: [UInt8] = []
    /// The lines of data of the event that is being received; `nil` before the first.
    private var data: String?
    private var name = ""
    private var id: String?
    private var skipsLineFeed = false
    private var isFirstLine = true

    /// Creates a parser of one response.
    ///
    /// - Parameters:
    ///   - lastEventID: the last identifier of an earlier connection; events without an identifier have it until another one is sent.
    ///   - limit: the maximum length of an event, in bytes.
    package init(lastEventID: String? = nil, limit: Int = 16 * 1024 * 1024) {
        self.lastEventID = lastEventID
        self.limit = limit
    }

    /// Consumes the next bytes.
    ///
    /// - Returns: the events that these bytes complete.
    /// - Throws: ``ServerSentEventError/eventTooLong(limit:)``.
    package mutating func consume(_ bytes: some Sequence<UInt8>) throws(ServerSentEventError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let followsCarriageReturn = skipsLineFeed
            skipsLineFeed = false
            switch byte {
            case 0x0A where followsCarriageReturn: break
            case 0x0A, 0x0D:
                skipsLineFeed = byte == 0x0D
                if let event = endOfLine() { events.append(event) }
            default:
                guard line.count + (data?.utf8.count ?? 0) < limit else { throw .eventTooLong(limit: limit) }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endOfLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirstLine = false
        guard !line.isEmpty else { return endOfEvent() }
        guard line.first != UInt8(ascii: ":") else { return nil }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == 0x20 { value = value.dropFirst() }
        set(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
        return nil
    }

    private mutating func set(_ field: String, _ value: String) {
        switch field {
        case "data":
            if data == nil { data = value } else { data? += "\n" + value }
        case "event": name = value
        case "id" where !value.utf8.contains(0): id = value
        case "retry" where !value.isEmpty && value.utf8.allSatisfy(\.isDigit):
            reconnectionTime = Int64(value).map { .milliseconds($0) } ?? reconnectionTime
        default: break
        }
    }

    private mutating func endOfEvent() -> ServerSentEvent? {
        defer { (data, name) = (nil, "") }
        lastEventID = id ?? lastEventID
        guard let data else { return nil }
        return ServerSentEvent(id: lastEventID, name: name.isEmpty ? "message" : name, data: data)
    }
}
