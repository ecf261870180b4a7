import Foundation
import StreamsTesting
import Testing

@testable import Streams

@Suite("Gated bytes", .countsResources)
struct GatedBytesTests {
    /// A call for bytes with a limit of 8, and whether the gate is closed after each.
    private enum Step: Sendable {
        case append(Int, isClosed: Bool)
        case take(Int, isClosed: Bool)
        case await(keeping: Int64?, isClosed: Bool)
    }

    @Test(arguments: [
        [Step.append(7, isClosed: false), .append(1, isClosed: true), .take(4, isClosed: true), .take(1, isClosed: false)],
        [.append(100, isClosed: true), .take(97, isClosed: false), .append(4, isClosed: false), .append(1, isClosed: true)],
        [.append(100, isClosed: true), .await(keeping: 101, isClosed: true), .await(keeping: 100, isClosed: false)],
        [.await(keeping: nil, isClosed: false), .append(8, isClosed: true), .take(8, isClosed: false)],
        [.append(0, isClosed: false), .take(1, isClosed: false)],
    ])
    private func `The gate closes at the limit, and opens when fewer than half are left or the reader waits`(steps: [Step]) {
        let gate = Gate()
        var bytes = GatedBytes(limit: 8, suspending: gate)
        for (index, step) in steps.enumerated() {
            let expected: Bool
            switch step {
            case .append(let count, let isClosed):
                _ = bytes.append(Data(count: count))
                expected = isClosed
            case .take(let count, let isClosed):
                _ = bytes.take(upTo: count)
                expected = isClosed
            case .await(let last, let isClosed):
                _ = bytes.next(keeping: last)
                expected = isClosed
            }
            bytes.open().perform()
            #expect(gate.isClosed == expected, "after step \(index)")
        }
        gate.dispose()
    }

    @Test(arguments: 1...12) func `The bytes are taken in order, in pieces of any size`(size: Int) {
        let pieces = ["a", "bcd", "", "efghi", "j"].map { Data($0.utf8) }
        let gate = Gate()
        var bytes = GatedBytes(limit: 1_000, suspending: gate)
        for piece in pieces { _ = bytes.append(piece) }
        var taken: [Data] = []
        while bytes.count > 0 { taken.append(bytes.take(upTo: size).reduce(into: Data()) { $0.append($1) }) }
        #expect(taken.dropLast().allSatisfy { $0.count == size })
        #expect(taken.reduce(into: Data()) { $0.append($1) } == Data("abcdefghij".utf8))
        #expect(bytes.take(upTo: size).isEmpty && bytes.count == 0)
        gate.dispose()
    }

    @Test func `A reader that has found nothing is told once, of bytes or of the end`() {
        let reader = Reader()
        #expect(!reader.append(1))
        reader.take(1)
        for _ in 0..<2 { #expect(reader.next() == "nothing yet") }
        #expect(!reader.append(0))
        #expect(reader.append(1))
        #expect(!reader.append(1))
        #expect(reader.next() == "bytes")
        reader.take(2)
        #expect(reader.next() == "nothing yet")
        #expect(reader.finish(.success(())))
        #expect(reader.next() == "end")
    }

    @Test func `The first end counts, follows the bytes, and nothing follows it`() {
        let reader = Reader()
        #expect(!reader.append(1) && reader.isOpen)
        #expect(!reader.finish(.failure(CancellationError())) && !reader.isOpen)
        #expect(!reader.finish(.success(())) && !reader.append(1))
        #expect(reader.next() == "bytes")
        #expect(reader.take(8) == 1)
        #expect(reader.next() == "failure")
    }

    @Test func `The last announced bytes are kept until it is certain that no others follow`() {
        let reader = Reader()
        #expect(!reader.append(3))
        #expect(reader.next(keeping: 4) == "bytes")
        #expect(reader.next(keeping: 3) == "nothing yet")
        #expect(reader.finish(.success(())))
        #expect(reader.next(keeping: 3) == "bytes")
    }

    @Test func `Taken and removed bytes are released by the one who gets them, outside of the lock`() {
        let released = Lock(0)
        func piece() -> Data {
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 1)
            return Data(
                bytesNoCopy: memory, count: 64,
                deallocator: .custom { memory, _ in
                    memory.deallocate()
                    released.withLock { $0 += 1 }
                })
        }
        let gate = Gate()
        let bytes = Lock(GatedBytes(limit: 1_000, suspending: gate))
        for _ in 0..<4 { _ = bytes.withLock { $0.append(piece()) } }
        var held = bytes.withLock { $0.take(upTo: 128) } + bytes.withLock { $0.removeAll() }
        #expect(released.withLock { $0 } == 0)
        held = []
        #expect(held.isEmpty && released.withLock { $0 } == 4)
        gate.dispose()
    }
}

/// Gated bytes, whose changes return values.
private final class Reader {
    private let gate = Gate()
    private var bytes: GatedBytes

    init() {
        bytes = GatedBytes(limit: 8, suspending: gate)
    }

    deinit { gate.dispose() }

    var isOpen: Bool { bytes.isOpen }

    func append(_ count: Int) -> Bool { bytes.append(Data(count: count)) }
    func finish(_ end: Result<Void, any Error>) -> Bool { bytes.finish(end) }

    @discardableResult
    func take(_ count: Int) -> Int { bytes.take(upTo: count).reduce(0) { $0 + $1.count } }

    func next(keeping last: Int64? = nil) -> String {
        switch bytes.next(keeping: last) {
        case .bytes: "bytes"
        case .nothingYet: "nothing yet"
        case .end(.success): "end"
        case .end(.failure): "failure"
        }
    }
}
