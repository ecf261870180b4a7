import Foundation

/// Writes bytes into a pipe as fast as its reader takes them, without a signal if there is no reader.
final class InputWriter {
    private let descriptor: Descriptor
    private let data: Data
    private var written = 0

    init(_ descriptor: Descriptor, _ data: Data) {
        self.descriptor = descriptor
        self.data = data
        descriptor.setNonBlocking()
        #if canImport(Darwin)
            _ = fcntl(descriptor.number, F_SETNOSIGPIPE, 1)
        #endif
    }

    var number: Int32 { descriptor.number }

    /// Writes once; returns whether there is more to write, and a reader for it.
    func writeAvailable() -> Bool {
        guard written < data.count else { return false }
        let count = data[(data.startIndex + written)...].withUnsafeBytes { bytes in
            Self.withoutPipeSignal { write(descriptor.number, bytes.baseAddress, bytes.count) }
        }
        guard count >= 0 else { return errno == EAGAIN || errno == EINTR }
        written += count
        return written < data.count
    }

    /// Runs `body` so that a pipe without a reader causes an error and no signal.
    private static func withoutPipeSignal(_ body: () -> Int) -> Int {
        #if canImport(Darwin)
            return body()
        #else
            var pipeSignal = sigset_t()
            var before = sigset_t()
            var pending = sigset_t()
            sigemptyset(&pipeSignal)
            sigaddset(&pipeSignal, SIGPIPE)
            sigpending(&pending)
            let wasPending = sigismember(&pending, SIGPIPE) == 1
            pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
            let result = body()
            let code = errno
            if result < 0, code == EPIPE, !wasPending {
                var immediately = timespec()
                sigtimedwait(&pipeSignal, nil, &immediately)
            }
            pthread_sigmask(SIG_SETMASK, &before, nil)
            errno = code
            return result
        #endif
    }
}
