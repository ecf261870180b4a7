import Foundation

/// Reads a descriptor and emits its lines.
struct LineReader: ~Copyable {
    private static let chunkSize = 65_536

    private let thread: SourceThread<String>
    private let path: String
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)
    private var decoder: LineDecoder
    private var remaining: [UInt8] = []
    private let options: LineOptions

    init(_ thread: SourceThread<String>, path: String, _ options: LineOptions) {
        self.thread = thread
        self.path = path
        self.options = options
        decoder = LineDecoder(options)
    }

    deinit { buffer.deallocate() }

    /// The bytes that were read, but not emitted before the subscription was disposed.
    var unread: [UInt8] { decoder.incomplete + remaining }

    /// Reads once, as soon as lines may be emitted, and emits the lines that this completes. Reads nothing if the subscription is disposed.
    mutating func read(_ number: Int32) throws -> Descriptor.Reading {
        guard try thread.untilMayEmit() else { return .nothing }
        let reading = try Descriptor.read(number, into: buffer, path: path)
        if case .bytes(let count) = reading { try consume(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
        return reading
    }

    /// Emits the lines that `bytes` complete.
    mutating func consume(_ bytes: UnsafeRawBufferPointer) throws {
        remaining = Array(try decoder.emitLines(of: bytes, to: thread) { $0 })
    }

    /// Emits the last line if it is not terminated.
    mutating func finish() throws {
        try decoder.emitLast(to: thread) { $0 }
    }

    /// Forgets an incomplete line, and counts from 1 again, because another file begins.
    mutating func restart() {
        decoder = LineDecoder(options)
    }
}
