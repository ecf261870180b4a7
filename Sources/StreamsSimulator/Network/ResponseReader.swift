internal import Bytes
import Foundation
import NetNodes

/// Reads the bytes of responses to requests, one after another.
///
/// Source: [RFC 9112, 6 and 7](https://www.rfc-editor.org/rfc/rfc9112#name-message-body).
struct ResponseReader {
    enum Piece {
        case head(status: Int, headers: HTTPHeaders)
        case chunk(Data)
        case end
    }

    private enum State {
        case head
        /// The rest of a body of known length.
        case body(Int)
        case untilClose
        case chunkSize
        case chunk(Int)
        /// The line break after a chunk.
        case chunkEnd
        case trailers
        case done
    }

    private let hasBody: Bool
    private var state = State.head
    private var parser = ResponseHeadParser()
    private var unread = ByteQueue()
    /// Whether the connection serves another request after this response.
    private(set) var keepsConnection = true

    /// - Parameter isHead: whether the request asked for the head only.
    init(isHead: Bool) {
        hasBody = !isHead
    }

    /// Whether a byte of the response has arrived.
    private(set) var hasBegun = false

    mutating func append(_ more: UnsafeRawBufferPointer) {
        hasBegun = true
        unread.append(more)
    }

    /// Returns the next piece of the appended bytes; `nil` if more bytes are needed.
    mutating func next() throws(MalformedHead) -> Piece? {
        while true {
            switch state {
            case .head:
                guard let line = unread.takeLine() else { return nil }
                guard try consume(line) else { continue }
                return beginBody()
            case .body(0):
                state = .done
                return .end
            case .body(let rest):
                guard let data = take(upTo: rest) else { return nil }
                state = .body(rest - data.count)
                return .chunk(data)
            case .untilClose:
                return take(upTo: .max).map { .chunk($0) }
            case .chunkSize:
                guard let line = unread.takeLine() else { return nil }
                let size = try Self.size(line)
                state = size == 0 ? .trailers : .chunk(size)
            case .chunk(let rest):
                guard let data = take(upTo: rest) else { return nil }
                state = rest == data.count ? .chunkEnd : .chunk(rest - data.count)
                return .chunk(data)
            case .chunkEnd:
                guard unread.takeLine() != nil else { return nil }
                state = .chunkSize
            case .trailers:
                guard let line = unread.takeLine() else { return nil }
                if line.count <= 2 { state = .body(0) }
            case .done: return nil
            }
        }
    }

    /// Handles the end of the connection; returns whether it is a proper end of the response.
    func isComplete() -> Bool {
        switch state {
        case .untilClose, .done: true
        default: false
        }
    }

    private mutating func consume(_ line: ArraySlice<UInt8>) throws(MalformedHead) -> Bool {
        try line.withUnsafeBytes { bytes in Result { () throws(MalformedHead) in try parser.consume(bytes) } }.get()
    }

    private mutating func beginBody() -> Piece {
        let (status, headers) = (parser.status, parser.headers)
        keepsConnection = headers["Connection"]?.lowercased() != "close"
        if !hasBody || status == 204 || status == 304 {
            state = .body(0)
        } else if headers["Transfer-Encoding"]?.lowercased() == "chunked" {
            state = .chunkSize
        } else if let length = headers["Content-Length"].flatMap({ Int($0) }) {
            state = .body(length)
        } else {
            state = .untilClose
            keepsConnection = false
        }
        return .head(status: status, headers: headers)
    }

    private static func size(_ line: ArraySlice<UInt8>) throws(MalformedHead) -> Int {
        let digits = String(decoding: line.prefix { $0 != 0x0D && $0 != UInt8(ascii: ";") }, as: UTF8.self)
        guard let size = Int(digits, radix: 16), size >= 0 else { throw MalformedHead(reason: "the size of a chunk is not a number") }
        return size
    }

    private mutating func take(upTo count: Int) -> Data? {
        let taken = unread.take(atMost: count)
        return taken.isEmpty ? nil : Data(taken)
    }
}
