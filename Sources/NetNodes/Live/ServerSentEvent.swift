internal import Bytes
public import Foundation

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

extension ServerSentEvent {
    /// The reason why a response is not an event stream.
    public enum Failure: Error, Equatable, Sendable {
        /// The response has another content type.
        case notAnEventStream(contentType: String, url: String)
        /// An event exceeds the limit.
        case eventTooLong(limit: Int)
    }
}

extension ServerSentEvent.Failure: LocalizedError, CustomStringConvertible {
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
    /// The last identifier that was sent.
    package var lastEventID: String? { event.lastID }
    /// The reconnection delay requested by the server.
    package var reconnectionTime: Duration? { event.reconnectionTime }

    private let limit: Int
    private var lines: LineSplitter
    private var event: ReceivedEvent

    /// Creates a parser of one response.
    ///
    /// - Parameters:
    ///   - lastEventID: the last identifier of an earlier connection; events without an identifier have it until another one is sent.
    ///   - limit: the maximum length of an event, in bytes.
    package init(lastEventID: String? = nil, limit: Int = 16 * 1024 * 1024) {
        self.limit = limit
        lines = LineSplitter(limit: limit, ending: .carriageReturnToo) { _, limit in ServerSentEvent.Failure.eventTooLong(limit: limit) }
        event = ReceivedEvent(lastID: lastEventID)
    }

    /// Consumes the next bytes.
    ///
    /// - Returns: the events that these bytes complete.
    /// - Throws: ``ServerSentEvent/Failure/eventTooLong(limit:)``.
    package mutating func consume(_ bytes: some ContiguousBytes) throws -> [ServerSentEvent] {
        try bytes.withUnsafeBytes { bytes in
            var (rest, events) = (bytes, [ServerSentEvent]())
            while let completed = try lines.next(in: &rest, { try event.add($1, limit: limit) }) {
                if let completed { events.append(completed) }
            }
            try event.check(lines.incomplete.count, limit: limit)
            return events
        }
    }
}

/// The event whose lines are being received.
private struct ReceivedEvent: Sendable {
    /// The last identifier that was sent with a complete event.
    var lastID: String?
    var reconnectionTime: Duration?
    /// The lines of data; `nil` before the first.
    private var data: String?
    private var name = ""
    private var id: String?

    init(lastID: String?) {
        self.lastID = lastID
    }

    func check(_ more: Int, limit: Int) throws {
        guard more + (data?.utf8.count ?? 0) <= limit else { throw ServerSentEvent.Failure.eventTooLong(limit: limit) }
    }

    /// Adds a line; returns the event that it ends.
    mutating func add(_ line: UnsafeRawBufferPointer, limit: Int) throws -> ServerSentEvent? {
        guard let first = line.first else { return end() }
        try check(line.count, limit: limit)
        // A comment.
        guard first != UInt8(ascii: ":") else { return nil }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
        var value = line[colon...].dropFirst()
        if value.first == 0x20 { value = value.dropFirst() }
        set(line[..<colon], UnsafeRawBufferPointer(rebasing: value))
        return nil
    }

    private mutating func set(_ field: Slice<UnsafeRawBufferPointer>, _ value: UnsafeRawBufferPointer) {
        if field.elementsEqual("data".utf8) {
            let line = String(decoding: value, as: UTF8.self)
            if data == nil { data = line } else { data? += "\n" + line }
        } else if field.elementsEqual("event".utf8) {
            name = String(decoding: value, as: UTF8.self)
        } else if field.elementsEqual("id".utf8) {
            if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        } else if field.elementsEqual("retry".utf8), !value.isEmpty, value.allSatisfy(\.isDigit) {
            reconnectionTime = Int64(String(decoding: value, as: UTF8.self)).map { .milliseconds($0) } ?? reconnectionTime
        }
    }

    private mutating func end() -> ServerSentEvent? {
        defer { (data, name) = (nil, "") }
        lastID = id ?? lastID
        guard let data else { return nil }
        return ServerSentEvent(id: lastID, name: name.isEmpty ? "message" : name, data: data)
    }
}
