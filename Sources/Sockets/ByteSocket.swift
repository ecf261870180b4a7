/// A connection, as the code that reads and writes its bytes uses it.
package protocol ByteChannel: AnyObject {
    /// Reads bytes; returns 0 bytes at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> SocketTransfer
    func write(_ bytes: UnsafeRawBufferPointer) -> SocketTransfer
    func shutDownWriting()
}

/// A connected socket that reports when it is ready: a socket of the system, or the end of a connection in a simulation.
///
/// All calls are made on one queue or thread of its owner.
package protocol ByteSocket: ByteChannel, Sendable {
    /// Calls the handler whenever the socket is readable, until `pauseReading` or `close`.
    func startReading(_ handler: @escaping @Sendable () -> Void)
    func pauseReading()
    func resumeReading()
    /// Calls the handler whenever the socket is writable, until `stopWriting` or `close`.
    func startWriting(_ handler: @escaping @Sendable () -> Void)
    func stopWriting()
    /// Closes the socket so that the peer sees a reset.
    func reset()
    func close()
}

/// The result of a read or write.
package enum SocketTransfer: Sendable, Equatable {
    case count(Int)
    case wouldBlock
    /// The number of the error, which the system or the transferring library has set.
    case failed(Int32)
}
