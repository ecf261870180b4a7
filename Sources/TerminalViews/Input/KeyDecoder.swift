/// Parses what is read from a terminal, and measures the time that decides about a lone Esc.
@MainActor
package final class KeyDecoder {
    private let escapeDelay: Duration
    private let scheduler: any Scheduler
    private let emit: @MainActor (Key) -> Void
    private let timer = SerialDisposable()
    private var parser = KeyParser()

    /// Creates a decoder; `emit` receives its keys.
    package init(escapeDelay: Duration, scheduler: any Scheduler, emit: @escaping @MainActor (Key) -> Void) {
        self.escapeDelay = escapeDelay
        self.scheduler = scheduler
        self.emit = emit
    }

    /// Takes the bytes of one read.
    package func receive(_ bytes: [UInt8]) {
        parser.feed(bytes).forEach(emit)
        measure()
    }

    /// Emits what is a key although the input has ended.
    package func finish() {
        parser.finish().forEach(emit)
    }

    /// Measures no more.
    package func stop() {
        timer.dispose()
    }

    private func measure() {
        guard parser.isTimed else { return timer.disposable = Disposables.create() }
        timer.disposable = scheduler.schedule(after: escapeDelay) { [weak self] in
            MainScheduler.runOnMainActor { self?.timeOut() }
        }
    }

    private func timeOut() {
        parser.timeOut().forEach(emit)
    }
}
