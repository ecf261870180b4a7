import Foundation

/// Reads a descriptor and emits its lines.
struct LineReader: ~Copyable {
    private static let chunkSize = 65_536

    private let thread: SourceThread<String>
    private let path: String
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)
    private var decoder: LineDecoder
    private let options: LineOptions

    init(_ thread: SourceThread<String>, path: String, _ options: LineOptions) {
        self.thread = thread
        self.path = path
        self.options = options
        decoder = LineDecoder(options)
    }

    deinit { buffer.deallocate() }

    /// What one read brought.
    enum Outcome {
        case bytes
        /// Nothing is available now.
        case nothing
        /// The end of the file.
        case end
        /// The subscription is disposed; what was read and not emitted.
        case disposed(unread: [UInt8])
    }

    /// Reads once, and emits the lines that this completes.
    mutating func read(_ number: Int32) throws -> Outcome {
        guard !thread.isDisposed else { return .disposed(unread: decoder.incomplete) }
        switch try Descriptor.read(number, into: buffer, path: path) {
        case .end: return .end
        case .nothing: return .nothing
        case .bytes(let count):
            let unread = try consume(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return unread.map { .disposed(unread: $0) } ?? .bytes
        }
    }

    /// Emits the lines of `bytes`; returns what is left of them if the subscription is disposed meanwhile.
    mutating func consume(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8]? {
        let consumed = try decoder.consume(bytes) { line in thread.emit(line) }
        return thread.isDisposed ? decoder.incomplete + bytes[consumed...] : nil
    }

    /// Emits a last line that is not terminated.
    mutating func finish() throws {
        if let line = try decoder.finish() { thread.emit(line) }
    }

    /// Forgets an incomplete line, and counts from 1 again: another file begins.
    mutating func restart() {
        decoder = LineDecoder(options)
    }
}
