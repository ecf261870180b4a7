import Foundation

/// The source of the bytes of a body.
enum ResponseBody: Sendable {
    case data(Data)
    case generated(Int)
    case slice(of: Data, Range<Int>)
    case generatedSlice(Range<Int>)
    case stream(StreamStart)
    case raw(Data)
    /// The bytes of another protocol, in both directions.
    case upgrade(@Sendable (BodyFeed) -> ConnectionInput)

    /// Starts a stream of bytes into the feed, and returns a function that cancels it.
    typealias StreamStart = @Sendable (BodyFeed) -> @Sendable () -> Void

    /// The number of bytes, if known in advance.
    var count: Int? {
        switch self {
        case .data(let data), .raw(let data): data.count
        case .generated(let count): count
        case .slice(_, let range), .generatedSlice(let range): range.count
        case .stream, .upgrade: nil
        }
    }

    /// Returns the given range of this body, if positions are known.
    func slice(_ range: Range<Int>) -> ResponseBody {
        switch self {
        case .data(let data): .slice(of: data, range)
        case .generated: .generatedSlice(range)
        case .slice, .generatedSlice, .stream, .raw, .upgrade: self
        }
    }

    /// The function that starts a body that is a stream.
    var start: (@Sendable (BodyFeed) -> ConnectionInput)? {
        switch self {
        case .stream(let start): { feed in ConnectionInput(stop: start(feed)) }
        case .upgrade(let start): start
        default: nil
        }
    }

    /// All bytes, if they are in memory.
    var data: Data? {
        guard case .data(let data) = self else { return nil }
        return data
    }
}

/// The input that belongs to a streaming body, and its cancellation.
struct ConnectionInput: Sendable {
    /// Takes the bytes that the client has sent after the request, as far as the body consumes them; `nil` if they are the next request.
    var take: (@Sendable (inout RequestParser) -> Void)?
    /// Cancels the body.
    let stop: @Sendable () -> Void
}

/// An endless, deterministic sequence of bytes: a block whose length is a prime number, repeated.
enum GeneratedBytes {
    private static let block = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    static func bytes(_ range: Range<Int>) -> Data {
        var result = Data(capacity: range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let offset = position % block.count
            let count = min(block.count - offset, range.upperBound - position)
            result.append(block[offset..<(offset + count)])
            position += count
        }
        return result
    }
}
