import Foundation

/// The keys of a terminal as a stream.
@MainActor
public final class Keyboard: ReactiveCompatible {
    /// Each key that is pressed and each paste, on the main loop; it completes when the terminal is gone. Hot.
    public let keys: Observable<Key>

    private let subject = PublishSubject<Key>()
    private let scheduler: any Scheduler
    private let escapeDelay: Duration
    private let escapeTimer = SerialDisposable()
    private var parser = KeyParser()
    private var reader: DescriptorReader?

    /// Reads from `descriptor`, waiting without using the CPU. `escapeDelay` is how long an Esc waits for the rest of a sequence before
    /// it counts as the key.
    public init(
        descriptor: Int32 = STDIN_FILENO, escapeDelay: Duration = .milliseconds(30), scheduler: any Scheduler = MainScheduler.instance
    ) {
        keys = subject.asObservable()
        self.scheduler = scheduler
        self.escapeDelay = escapeDelay
        reader = DescriptorReader(descriptor) { [weak self] bytes in self?.receive(bytes) }
    }

    /// Reads no more; ``keys`` completes.
    public func stop() {
        reader = nil
        escapeTimer.dispose()
        subject.onCompleted()
    }

    private func receive(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return stop() }
        for key in parser.feed(bytes) { subject.onNext(key) }
        guard parser.isPending else { return escapeTimer.disposable = Disposables.create() }
        escapeTimer.disposable = scheduler.schedule(after: parser.isPasting ? Self.pasteDelay : escapeDelay) { [weak self] in
            MainScheduler.runOnMainActor { self?.timeOut() }
        }
    }

    private func timeOut() {
        for key in parser.timeOut() { subject.onNext(key) }
    }

    /// A paste of which nothing came for so long has lost its end.
    private static let pasteDelay = Duration.seconds(5)
}
