import Foundation

/// Bytes that the system has not accepted yet.
package struct OutputBuffer {
    private var bytes = Data()
    private var start = 0

    package init() {}

    package var isEmpty: Bool { start == bytes.count }

    package var count: Int { bytes.count - start }

    package mutating func append(_ more: Data) {
        if isEmpty {
            bytes = more
            start = 0
        } else {
            bytes.append(more)
        }
    }

    package mutating func drop(_ count: Int) {
        start += count
        if isEmpty {
            bytes = Data()
            start = 0
        }
    }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }
}

/// The memory that all connections of a server read into, one at a time.
///
/// `@unchecked Sendable`: it is confined to the server's queue.
final class ReadBuffer: @unchecked Sendable {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    deinit { bytes.deallocate() }
}
