@testable import HTTPMessages

/// The result of a parser for bytes that arrive in pieces, with the bytes of each body joined.
struct Parsed: Equatable {
    private(set) var steps: [MessageParser.Step] = []

    /// - Parameter closes: whether the connection ends after the pieces.
    init(
        _ pieces: [[UInt8]], as role: MessageParser.Role, limits: MessageParser.Limits = .init(), bodyLimit: Int = .max,
        closes: Bool = false
    ) {
        var parser = MessageParser(role, limits: limits)
        for piece in pieces {
            piece.withUnsafeBytes { parser.append($0) }
            while !isFailed, case let step = parser.next(), step != .needsInput {
                add(step)
                if case .head(_, let framing) = step {
                    if case .fixed(let count) = framing, count > bodyLimit { steps.append(.failed(.bodyTooLong)) }
                    parser.bodyLeft = bodyLimit
                }
            }
        }
        if closes, !isFailed, case let step = parser.close(), step != .needsInput { add(step) }
    }

    private var isFailed: Bool { fault != nil }

    private mutating func add(_ step: MessageParser.Step) {
        guard case .bytes(let more) = step, case .bytes(let bytes)? = steps.last else { return steps.append(step) }
        steps[steps.count - 1] = .bytes(ArraySlice(Array(bytes + more)))
    }

    var fault: MessageFault? { if case .failed(let fault)? = steps.last { fault } else { nil } }

    var heads: [MessageHead] { steps.compactMap { if case .head(let head, _) = $0 { head } else { nil } } }

    /// The bodies, joined.
    var body: String {
        String(decoding: steps.flatMap { step -> [UInt8] in if case .bytes(let bytes) = step { Array(bytes) } else { [] } }, as: UTF8.self)
    }

    var isComplete: Bool { steps.last == .end }
}
