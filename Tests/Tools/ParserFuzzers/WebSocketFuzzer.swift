/// The entry of libFuzzer: the first byte says which side reads, and in which pieces. Traps if the pieces are parsed differently, or if a
/// message that was parsed and is written again is parsed as another.
@_cdecl("LLVMFuzzerTestOneInput")
public func parseInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let isServer = start[0] & 1 == 1
    let rest = UnsafeRawBufferPointer(start: start + 1, count: count - 1)
    let whole = parse([rest], isServer: isServer)
    let size = Int(start[0] >> 1) + 1
    let pieces = stride(from: 0, to: rest.count, by: size).map { position in
        UnsafeRawBufferPointer(rebasing: rest[position..<min(rest.count, position + size)])
    }
    precondition(parse(pieces, isServer: isServer) == whole, "in pieces it is something else")
    for case .message(let message) in whole.events {
        let frame = WebSocketFrame.bytes(message, mask: 0x1234_5678)
        let again = frame.withUnsafeBytes { parse([$0], isServer: true) }
        precondition(again == Parsed(events: [.message(message)]), "written again it is something else")
    }
    return 0
}

private struct Parsed: Equatable {
    var events: [WebSocketEvent] = []
    var violation: WebSocketViolation?
}

private func parse(_ pieces: [UnsafeRawBufferPointer], isServer: Bool) -> Parsed {
    var parser = WebSocketParser(isServer: isServer, maximumMessageSize: 2_000)
    var parsed = Parsed()
    for piece in pieces { parsed.violation = parser.parse(piece, into: &parsed.events) }
    return parsed
}
