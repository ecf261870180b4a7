import Foundation
import NetNodes

/// Prints a response while it is received: its heads and its body on standard output, notes about it on standard error, in the order in
/// which they are taken. While four megabytes wait for a slow reader, the transfer is suspended; neither the transfer nor the main loop is
/// ever blocked.
///
/// Sound by law 2: only the output's queue accesses `format`, one piece at a time.
final class ResponsePrinter: @unchecked Sendable {
    private let console: Console
    private let style: BodyStyle
    private let waiting = Lock(PrintQueue())
    private let suspension = Suspension()
    private var format: BodyFormat

    @MainActor
    init(_ console: Console, _ style: BodyStyle) {
        self.console = console
        self.style = style
        format = BodyFormat(style)
    }

    /// Whether bytes of a body were taken; they cannot be taken back.
    var hasBody: Bool { waiting.withLock(\.hasBody) }

    /// Appends an item to be printed. Called on any thread, one call at a time.
    func take(_ item: PrintQueue.Item) {
        let mustPrint = waiting.withLock { waiting in
            let mustPrint = waiting.append(item)
            // Under the lock, where it runs nothing: outside it could overtake the resumption.
            if waiting.updateIsFull() { suspension.suspend() }
            return mustPrint
        }
        if mustPrint { console.print { self.next() } }
    }

    /// Emits the events of a source, which is suspended while too much waits to be printed.
    func suspending<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.suspended(by: suspension)
    }

    /// Prints the remaining items and then calls `done`. `isWhole` tells whether the body is complete.
    func finish(isWhole: Bool, then done: @escaping @MainActor @Sendable () -> Void) {
        take(.end(isWhole: isWhole))
        DispatchQueue.main.async { self.console.flush(then: done) }
    }

    private func next() -> Data? {
        let (item, isFull) = waiting.withLock { ($0.takeFirst(), $0.updateIsFull()) }
        if !isFull, suspension.isSuspended { suspension.resume() }
        switch item {
        case .head(let head):
            format = BodyFormat(style, mediaType: head.mediaType, contentType: head.headers["Content-Type"])
            return Data()
        case .text(let text): return Data(text.utf8)
        case .note(let line):
            Console.printError(styled: line)
            return Data()
        case .bytes(let bytes): return style == .raw ? bytes : Data(format.feed(bytes))
        case .silence: return Data(format.pause())
        case .end(let isWhole): return Data(format.finish(isWhole: isWhole))
        case nil: return nil
        }
    }
}

/// The items that were received and are not yet printed.
struct PrintQueue {
    enum Item {
        /// The head of the response whose body follows.
        case head(HTTPResponse.Head)
        /// Text for standard output.
        case text(String)
        /// A line for standard error.
        case note(String)
        case bytes(Data)
        /// Nothing has been received for a moment.
        case silence
        case end(isWhole: Bool)
    }

    private(set) var hasBody = false
    private var isFull = false
    private var items: [Item] = []
    private var size = 0
    private var isPrinting = false

    /// - Returns: whether printing must begin.
    mutating func append(_ item: Item) -> Bool {
        if case .bytes(let bytes) = item {
            hasBody = true
            size += bytes.count
        }
        if !merge(item) { items.append(item) }
        defer { isPrinting = true }
        return !isPrinting
    }

    /// Joins small chunks: if a server sends byte by byte, each byte would become an item.
    private mutating func merge(_ item: Item) -> Bool {
        guard case .bytes(let more) = item, case .bytes(var bytes)? = items.last, bytes.count + more.count <= Self.pieceSize else {
            return false
        }
        items.removeLast()
        bytes.append(more)
        items.append(.bytes(bytes))
        return true
    }

    /// Takes the next item; `nil` if there is none, which ends printing.
    mutating func takeFirst() -> Item? {
        guard !items.isEmpty else {
            isPrinting = false
            return nil
        }
        let item = items.removeFirst()
        if case .bytes(let bytes) = item { size -= bytes.count }
        return item
    }

    /// Returns whether it is full: from a limit on, until half of that is left.
    mutating func updateIsFull() -> Bool {
        isFull = size > (isFull ? Self.mostWaiting / 2 : Self.mostWaiting)
        return isFull
    }

    private static let pieceSize = 65_536
    private static let mostWaiting = 4 * 1024 * 1024
}
