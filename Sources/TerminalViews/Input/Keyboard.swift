public import Foundation

/// The keys of a terminal as a stream.
@MainActor
public final class Keyboard: ReactiveCompatible {
    /// Emits each key press, paste and mouse event on the main loop. Completes when the terminal disconnects, and fails with a
    /// ``Keyboard/Failure`` if the terminal cannot be read. The stream is hot.
    public let keys: Observable<Key>

    private let subject: PublishSubject<Key>
    private let decoder: KeyDecoder
    private var reader: DescriptorReader?

    /// Creates a keyboard that reads from a descriptor, without using the CPU while idle.
    ///
    /// - Parameters:
    ///   - descriptor: a terminal, or any other descriptor that can be read.
    ///   - takesControlC: whether Ctrl-C is a key. Otherwise it is SIGINT, as in every program that does not read keys: it ends the program
    ///     with exit code 130, or calls the handler of that signal (`MainLoop.onSignal`).
    ///   - escapeDelay: the time after which a lone Esc counts as the key rather than the start of a sequence. Only what is a key by itself
    ///     is decided by time; every other sequence waits for its rest.
    ///   - scheduler: the scheduler that measures the delay.
    public init(
        descriptor: Int32 = STDIN_FILENO, takesControlC: Bool = false, escapeDelay: Duration = .milliseconds(30),
        scheduler: any Scheduler = MainScheduler.instance
    ) {
        let subject = PublishSubject<Key>()
        self.subject = subject
        keys = subject.asObservable()
        decoder = KeyDecoder(escapeDelay: escapeDelay, scheduler: scheduler) { key in
            if key == .control("c"), !takesControlC { raise(SIGINT) } else { subject.onNext(key) }
        }
        do throws(Failure) {
            reader = try DescriptorReader(descriptor) { [weak self] bytes in self?.receive(bytes) }
        } catch { subject.onError(error) }
    }

    /// Stops reading; ``keys`` completes.
    public func stop() {
        reader = nil
        decoder.stop()
        subject.onCompleted()
    }

    private func receive(_ bytes: [UInt8]) {
        guard bytes.isEmpty else { return decoder.receive(bytes) }
        decoder.finish()
        stop()
    }
}

extension Keyboard {
    /// The reason why a keyboard cannot be read: the descriptor is not open, or the process has no descriptors or threads left.
    public struct Failure: Error, Equatable, Sendable {
        /// The call of the system that failed.
        public let operation: String
        /// The `errno` of the call.
        public let code: Int32

        init(_ operation: String, code: Int32 = errno) {
            (self.operation, self.code) = (operation, code)
        }
    }
}

extension Keyboard.Failure: LocalizedError, CustomStringConvertible {
    public var description: String { "The keyboard cannot be read (\(operation)): \(String(cString: strerror(code)))." }

    public var errorDescription: String? { description }
}
