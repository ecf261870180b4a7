import Dispatch
import Streams

/// A connected or listening socket and its Dispatch sources.
///
/// It closes the descriptor when both sources have let go of it, which is the only moment at which its number may be used again.
///
/// `@unchecked Sendable`: everything here is touched on the server's queue only; the handlers of the sources run there.
final class StreamSocket: @unchecked Sendable {
    let descriptor: Int32
    private let queue: ServerQueue
    private let onReleased: @Sendable () -> Void
    private var reader: Gate?
    private var writer: Gate?
    private var liveSources = 0
    private var isClosed = false

    init(_ descriptor: Int32, queue: ServerQueue, onReleased: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        self.queue = queue
        self.onReleased = onReleased
    }

    /// Calls the handler whenever there is something to read, until `pauseReading` or `close`.
    func startReading(_ handler: @escaping @Sendable () -> Void) {
        guard !isClosed, reader == nil else { return }
        reader = adopt(DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue.queue), handler)
        reader?.open()
    }

    func pauseReading() { reader?.shut() }

    func resumeReading() { reader?.open() }

    /// Calls the handler whenever there is room to write, until `stopWriting` or `close`.
    func startWriting(_ handler: @escaping @Sendable () -> Void) {
        guard !isClosed else { return }
        if writer == nil {
            writer = adopt(DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue.queue), handler)
        }
        writer?.open()
    }

    func stopWriting() { writer?.shut() }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        reader?.cancel()
        writer?.cancel()
        if liveSources == 0 { release() }
    }

    private func adopt(_ source: any DispatchSourceProtocol, _ handler: @escaping @Sendable () -> Void) -> Gate {
        liveSources += 1
        source.setEventHandler(handler: Resources.bindingCounter(handler))
        source.setCancelHandler { [self] in
            liveSources -= 1
            if liveSources == 0 { release() }
        }
        return Gate(source)
    }

    private func release() {
        SocketCalls.closeDescriptor(descriptor)
        onReleased()
    }

    /// A source that is suspended and resumed in pairs, as Dispatch demands.
    private struct Gate {
        private let source: any DispatchSourceProtocol
        private var isOpen = false

        init(_ source: any DispatchSourceProtocol) { self.source = source }

        mutating func open() {
            guard !isOpen else { return }
            isOpen = true
            source.resume()
        }

        mutating func shut() {
            guard isOpen else { return }
            isOpen = false
            source.suspend()
        }

        mutating func cancel() {
            source.cancel()
            open()
        }
    }
}
