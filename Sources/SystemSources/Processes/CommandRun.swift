import Foundation

/// One run of a program: reads both outputs, writes the input, and waits for the end, on the thread of the subscription.
final class CommandRun<Element: Sendable> {
    /// A piece of output, or the end of a program. The bytes are valid during the call only.
    enum Chunk {
        case output(UnsafeRawBufferPointer)
        case errorOutput(UnsafeRawBufferPointer)
        case exited(Command.ExitStatus)
    }

    /// The maximum that a pipe can hold. After the end of a program no more of its output can be in the pipe.
    private static var pipeCapacity: Int { 1 << 20 }

    private let command: Command
    private let thread: SourceThread<Element>
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    private var output: Descriptor?
    private var errors: Descriptor?
    private var input: InputWriter?
    init(_ command: Command, _ thread: SourceThread<Element>) {
        self.command = command
        self.thread = thread
    }

    deinit { buffer.deallocate() }

    /// Runs the program. If `receive` throws, its error is emitted at once, and the program is ended.
    func run(_ receive: (Chunk) throws -> Void) throws {
        let child = try start()
        // The disposing thread sends the signal: this process may end before this thread runs again.
        let signal = command.gracePeriod > .zero ? SIGTERM : SIGKILL
        thread.lifetime.add { child.stop(signal) }
        do {
            try forward(child, receive)
            if thread.isDisposed { stop(child, signal) }
        } catch {
            thread.finish(error)
            stop(child, signal)
        }
        while !child.hasEnded { try thread.wait() }
        let status = child.reap()
        guard !thread.isDisposed else { return }
        guard let status else { throw Command.Failure.statusUnavailable }
        try receive(.exited(status))
    }

    private func start() throws -> ChildProcess {
        let (output, errors) = (try Descriptor.pipe(), try Descriptor.pipe())
        output.read.setNonBlocking()
        errors.read.setNonBlocking()
        (self.output, self.errors) = (output.read, errors.read)
        var reading: Descriptor?
        if case .data(let data) = command.input {
            let pipe = try Descriptor.pipe()
            reading = pipe.read
            input = InputWriter(pipe.write, data)
        }
        // The child's ends of the pipes are closed here when this returns. An output ends when the child closes its end.
        return try withExtendedLifetime((output.write, errors.write, reading)) {
            try ChildProcess.start(
                command, input: reading?.number ?? -1, output: output.write.number, errors: errors.write.number, waking: thread.waker)
        }
    }

    /// Forwards the output until the program has ended or the subscription is disposed. While downstream is suspended nothing is read.
    private func forward(_ child: ChildProcess, _ receive: (Chunk) throws -> Void) throws {
        while try thread.untilMayEmit() {
            guard !child.hasEnded else { return try drain(receive) }
            try transfer(wait(), receive)
        }
    }

    /// Forwards the bytes that are in the pipes; a process that the program has left running may write to them without end.
    private func drain(_ receive: (Chunk) throws -> Void) throws {
        var rest = 2 * Self.pipeCapacity
        while rest > 0, try thread.untilMayEmit() {
            let count = try read(&output) { try receive(.output($0)) } + read(&errors) { try receive(.errorOutput($0)) }
            guard count > 0 else { return }
            rest -= count
        }
    }

    /// Asks the program to end, and discards its output until it and all processes that hold its outputs have ended. Kills those that
    /// remain.
    private func stop(_ child: ChildProcess, _ signal: Int32) {
        child.stop(signal)
        input = nil
        let deadline = ContinuousClock.now + command.gracePeriod.clamped
        while !child.hasEnded || output != nil || errors != nil {
            let rest = deadline - ContinuousClock.now
            // After any failure here the program is killed.
            guard rest > .zero, let ready = try? wait(rest), (try? transfer(ready) { _ in }) != nil else { break }
        }
        child.signal(SIGKILL)
        (output, errors) = (nil, nil)
    }

    private func wait(_ timeout: Duration? = nil) throws -> Set<Int32> {
        let outlets = [output, errors].compactMap { $0?.number }
        return try thread.wait(reading: outlets, writing: input.map { [$0.number] } ?? [], timeout: timeout)
    }

    /// Reads or writes once for each descriptor that is ready.
    private func transfer(_ ready: Set<Int32>, _ receive: (Chunk) throws -> Void) throws {
        if let writer = input, ready.contains(writer.number), !writer.writeAvailable() { input = nil }
        if let number = output?.number, ready.contains(number) { _ = try read(&output) { try receive(.output($0)) } }
        if let number = errors?.number, ready.contains(number) { _ = try read(&errors) { try receive(.errorOutput($0)) } }
    }

    /// Reads once and returns the number of bytes. Closes the descriptor at its end.
    private func read(_ descriptor: inout Descriptor?, _ receive: (UnsafeRawBufferPointer) throws -> Void) throws -> Int {
        guard let open = descriptor else { return 0 }
        switch try open.read(into: buffer) {
        case .nothing: return 0
        case .end:
            descriptor = nil
            return 0
        case .bytes(let count):
            try receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            return count
        }
    }
}

/// Writes bytes into a pipe as fast as its reader takes them, without a signal if there is no reader.
private final class InputWriter {
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
