import Foundation

/// The entry of libFuzzer for what a server of NATS sends. Traps if it is parsed differently in pieces, of a size that depends on the bytes, or
/// if headers that were parsed and are written again are parsed as others.
@_cdecl("LLVMFuzzerTestOneInput")
public func parseInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Data(bytes: start, count: count)
    let whole = parse([bytes])
    let size = 1 + bytes.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % 61
    let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min(bytes.count, $0 + size)] }
    precondition(parse(pieces) == whole, "in pieces it is something else")
    for operation in whole.operations {
        switch operation {
        case .message(let message, _): check(message)
        case .info(let info): discover(info.connectURLs)
        default: break
        }
    }
    return 0
}

private struct Parsed: Equatable {
    var operations: [ServerOperation] = []
    var error: NATSError.ProtocolViolation?
}

private func parse(_ pieces: [Data]) -> Parsed {
    var parser = OperationParser(limits: .init(line: 200, message: 1_000))
    var parsed = Parsed()
    for piece in pieces where parsed.error == nil {
        do throws(NATSError.ProtocolViolation) { try parser.consume(piece) { parsed.operations.append($0) } } catch { parsed.error = error }
    }
    return parsed
}

/// The parts of a message that are read behind the parser.
private func check(_ message: NATSMessage<Data>) {
    _ = DeliveryMetadata(reply: message.reply)
    // Headers that may not be sent are refused when they are written; a status is the server's alone.
    let headers = message.headers
    guard headers.status == nil, let block = try? headers.encoded() else { return }
    let again = block.withUnsafeBytes { try? NATSHeaders(parsing: $0) }
    precondition(again == headers, "written again they are something else")
}

private func discover(_ names: [String]) {
    let given = ServerAddress(host: "given")
    var pool = ServerPool([given])
    pool.discover(names, from: given)
    precondition(pool.addresses.first == given, "the given server is gone")
    for _ in 0..<pool.count { _ = pool.take() }
}
