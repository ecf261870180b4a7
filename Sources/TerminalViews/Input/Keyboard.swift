@preconcurrency import Dispatch
import Foundation

/// The keys of a terminal as a stream.
@MainActor
public final class Keyboard: ReactiveCompatible {
    /// Each key that is pressed, on the main loop; it completes when the terminal is gone. Hot.
    public let keys: Observable<Key>

    private let subject = PublishSubject<Key>()
    private let source: any DispatchSourceRead
    private let scheduler: any Scheduler
    private let escapeTimer = SerialDisposable()
    private var parser = KeyParser()

    /// Reads from `descriptor`, which must be a terminal or a pipe (Dispatch tells nothing of `/dev/null`). `escapeDelay` is how long an
    /// Esc waits for the rest of a sequence before it counts as the key.
    public init(
        descriptor: Int32 = STDIN_FILENO, escapeDelay: Duration = .milliseconds(30), scheduler: any Scheduler = MainScheduler.instance
    ) {
        keys = subject.asObservable()
        self.scheduler = scheduler
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        source.setEventHandler { [weak self] in
            MainScheduler.runOnMainActor { self?.read(descriptor, escapeDelay: escapeDelay) }
        }
        source.activate()
    }

    deinit {
        source.cancel()
    }

    /// Reads no more; ``keys`` completes.
    public func stop() {
        source.cancel()
        escapeTimer.dispose()
        subject.onCompleted()
    }

    private func read(_ descriptor: Int32, escapeDelay: Duration) {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        guard count > 0 else { return stop() }
        for key in parser.feed(buffer.prefix(count)) { subject.onNext(key) }
        guard parser.isPending else { return escapeTimer.disposable = Disposables.create() }
        escapeTimer.disposable = scheduler.schedule(after: escapeDelay) { [weak self] in
            MainScheduler.runOnMainActor { self?.timeOut() }
        }
    }

    private func timeOut() {
        for key in parser.timeOut() { subject.onNext(key) }
    }
}
