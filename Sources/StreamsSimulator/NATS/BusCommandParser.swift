internal import Bytes

/// A command that a client sends to a bus.
///
/// Source: [NATS, client protocol](https://docs.nats.io/reference/reference-protocols/nats-protocol).
enum BusCommand: Equatable {
    case connect([UInt8])
    case ping
    case pong
    case publish(BusMessage)
    case subscribe(String, queue: String?, id: Int)
    case unsubscribe(Int, after: Int?)
}

/// The error that a server reports before it closes a connection.
struct BusRefusal: Error, Equatable {
    let text: String

    static let unknown = BusRefusal(text: "Unknown Protocol Operation")
    static let tooLarge = BusRefusal(text: "Maximum Payload Violation")
}

/// Parses commands from bytes, however they are split.
struct BusCommandParser {
    private let maximumPayload: Int
    private var unread = ByteQueue()

    init(maximumPayload: Int) {
        self.maximumPayload = maximumPayload
    }

    mutating func append(_ more: UnsafeRawBufferPointer) { unread.append(more) }

    /// Returns the next command; `nil` if it is not complete.
    mutating func next() throws(BusRefusal) -> BusCommand? {
        let bytes = unread.rest
        guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
        let line = bytes[..<(end > bytes.startIndex && bytes[end - 1] == 0x0D ? end - 1 : end)]
        let (name, rest) = Self.split(line)
        let fields = String(decoding: rest, as: UTF8.self).split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
        switch name {
        case "PUB": return try publish(fields, hasHeaders: false, from: end + 1)
        case "HPUB": return try publish(fields, hasHeaders: true, from: end + 1)
        default:
            unread.take(upTo: end + 1)
            return try command(name, fields, rest)
        }
    }

    private static func split(_ line: ArraySlice<UInt8>) -> (String, ArraySlice<UInt8>) {
        let end = line.firstIndex(of: 0x20) ?? line.endIndex
        return (String(decoding: line[..<end], as: UTF8.self).uppercased(), line[end...].drop { $0 == 0x20 })
    }

    private func command(_ name: String, _ fields: [String], _ rest: ArraySlice<UInt8>) throws(BusRefusal) -> BusCommand {
        switch name {
        case "PING": return .ping
        case "PONG": return .pong
        case "CONNECT": return .connect(Array(rest))
        case "SUB":
            guard (2...3).contains(fields.count), let id = Int(fields[fields.count - 1]) else { throw .unknown }
            return .subscribe(fields[0], queue: fields.count == 3 ? fields[1] : nil, id: id)
        case "UNSUB":
            guard let id = fields.first.flatMap({ Int($0) }) else { throw .unknown }
            return .unsubscribe(id, after: fields.dropFirst().first.flatMap { Int($0) })
        default: throw .unknown
        }
    }

    private mutating func publish(_ fields: [String], hasHeaders: Bool, from start: Int) throws(BusRefusal) -> BusCommand? {
        let numbers = hasHeaders ? 2 : 1
        guard (numbers + 1...numbers + 2).contains(fields.count), let size = Int(fields[fields.count - 1]),
            let headerSize = hasHeaders ? Int(fields[fields.count - 2]) : 0, (0...size).contains(headerSize)
        else { throw .unknown }
        guard size <= maximumPayload else { throw .tooLarge }
        let bytes = unread.rest
        guard bytes.endIndex >= start + size + 2 else { return nil }
        unread.take(upTo: start + size + 2)
        return .publish(
            BusMessage(
                subject: fields[0], reply: fields.count == numbers + 2 ? fields[1] : nil,
                headers: Array(bytes[start..<(start + headerSize)]), payload: Array(bytes[(start + headerSize)..<(start + size)])))
    }
}
