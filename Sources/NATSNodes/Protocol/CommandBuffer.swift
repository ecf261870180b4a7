import Foundation

/// Encodes the commands of a client. Everything in it has been checked: subjects, headers and sizes.
struct CommandBuffer: Sendable {
    private(set) var bytes: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }
    var count: Int { bytes.count }
    var capacity: Int { bytes.capacity }

    mutating func connect(_ request: Data) {
        bytes += "CONNECT ".utf8
        bytes += request
        bytes += "\r\n".utf8
    }

    mutating func publish(_ subject: String, reply: String?, headers: [UInt8]?, payload: Data) {
        let isShort = headers == nil && payload.count <= Self.shortPayload
        let lineSize = CommandLine.longest + subject.utf8.count + (reply?.utf8.count ?? 0)
        withUnsafeTemporaryAllocation(byteCount: lineSize + (isShort ? payload.count : 0), alignment: 1) { memory in
            var line = CommandLine(memory)
            line.append(headers == nil ? "PUB" : "HPUB")
            line.appendField(subject)
            if let reply { line.appendField(reply) }
            if let headers { line.appendField(headers.count) }
            line.appendField((headers?.count ?? 0) + payload.count)
            line.endLine()
            // A short message is one piece: growing the array costs more than copying the payload twice.
            if isShort {
                line.append(payload)
                line.endLine()
            }
            bytes.append(contentsOf: line.bytes)
        }
        guard !isShort else { return }
        if let headers { bytes += headers }
        payload.withUnsafeBytes { bytes.append(contentsOf: $0) }
        bytes += "\r\n".utf8
    }

    mutating func subscribe(_ subject: String, queue: String?, id: Int) {
        bytes += "SUB \(subject) ".utf8
        if let queue { bytes += "\(queue) ".utf8 }
        bytes += "\(id)\r\n".utf8
    }

    mutating func unsubscribe(_ id: Int) {
        bytes += "UNSUB \(id)\r\n".utf8
    }

    mutating func ping() {
        bytes += "PING\r\n".utf8
    }

    mutating func pong() {
        bytes += "PONG\r\n".utf8
    }

    mutating func append(_ other: CommandBuffer) {
        bytes += other.bytes
    }

    /// Returns all commands, and continues in the memory of an empty array.
    mutating func take(exchangingFor spare: consuming [UInt8] = []) -> [UInt8] {
        swap(&bytes, &spare)
        return spare
    }

    /// The longest payload that is copied with its line.
    private static let shortPayload = 512
}

/// One line of the protocol in memory that is large enough for it.
private struct CommandLine {
    /// The space that a line needs besides its texts, with the end of a payload: an operation, two numbers, blanks and line ends.
    static let longest = 64

    private let memory: UnsafeMutableRawBufferPointer
    private var count = 0

    init(_ memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
    }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ payload: Data) {
        payload.withUnsafeBytes { append($0) }
    }

    mutating func appendField(_ text: String) {
        append(0x20)
        guard text.utf8.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) == nil else { return }
        for byte in text.utf8 { append(byte) }
    }

    mutating func appendField(_ number: Int) {
        append(0x20)
        var digits = 1
        var limit = 10
        while number >= limit { (digits, limit) = (digits + 1, limit * 10) }
        var rest = number
        for place in stride(from: count + digits - 1, through: count, by: -1) {
            memory[place] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
            rest /= 10
        }
        count += digits
    }

    mutating func endLine() {
        append(0x0D)
        append(0x0A)
    }

    private mutating func append(_ byte: UInt8) {
        memory[count] = byte
        count += 1
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, let destination = memory.baseAddress else { return }
        (destination + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }
}
