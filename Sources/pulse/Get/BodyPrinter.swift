import Foundation
import NetNodes

/// Prints the body of a response while it is received. Bytes that standard output has not taken yet are buffered, 64 MB at most, and block
/// neither the transfer nor the main loop.
///
/// Sound by law 2: only the output's queue accesses `format`, one piece at a time.
final class BodyPrinter: @unchecked Sendable {
    private let console: Console
    private let waiting = Lock(Waiting())
    private var format: BodyFormat

    @MainActor
    init(_ console: Console) {
        self.console = console
        format = BodyFormat(isTerminal: console.isTerminal)
    }

    /// Appends the next bytes of the body, on any thread, one call at a time.
    func take(_ bytes: Data) {
        guard waiting.withLock({ $0.append(bytes) }) else { return }
        console.print { self.next() }
    }

    /// Prints the rest and then calls `done`. `isWhole` tells whether the body is complete.
    func finish(isWhole: Bool, then done: @escaping @MainActor @Sendable () -> Void) {
        if waiting.withLock({ $0.end(isWhole: isWhole) }) { console.print { self.next() } }
        DispatchQueue.main.async { self.console.flush(then: done) }
    }

    private func next() -> [UInt8]? {
        switch waiting.withLock({ $0.takeFirst() }) {
        case .bytes(let bytes): format.feed(bytes)
        case .end(let isWhole): format.finish(isWhole: isWhole)
        case nil: nil
        }
    }
}

/// The received bytes that have not been printed yet.
private struct Waiting {
    enum Item {
        case bytes(Data)
        case end(isWhole: Bool)
    }

    /// The chunks, merged so that two neighbors are larger than ``pieceSize``.
    private var pieces: [Data] = []
    private var end: Item?
    private var isPrinting = false

    /// - Returns: whether printing must begin.
    mutating func append(_ bytes: Data) -> Bool {
        // A server that sends byte by byte would produce one chunk for each.
        if let last = pieces.indices.last, pieces[last].count + bytes.count <= Self.pieceSize {
            pieces[last].append(bytes)
        } else {
            pieces.append(bytes)
        }
        return beginPrinting()
    }

    mutating func end(isWhole: Bool) -> Bool {
        end = .end(isWhole: isWhole)
        return beginPrinting()
    }

    /// Takes the next item; `nil` if there is none, which ends printing.
    mutating func takeFirst() -> Item? {
        guard pieces.isEmpty else { return .bytes(pieces.removeFirst()) }
        defer { end = nil }
        isPrinting = end != nil
        return end
    }

    private mutating func beginPrinting() -> Bool {
        defer { isPrinting = true }
        return !isPrinting
    }

    private static let pieceSize = 65_536
}
