import Foundation

/// Lays out a view on a terminal and redraws it when it changes.
///
/// Only differences are sent, at most 60 times a second, and only when a view needs display: an unchanged screen costs nothing. At most
/// 1000 columns and 500 rows of a device are used. While the terminal has not taken a frame, no other frame is drawn; the next frame then
/// shows the latest state.
@MainActor
public final class Screen: ReactiveCompatible {
    /// Emits the size of the terminal, starting with the current one.
    public var size: Observable<Size> { sizeRelay.asObservable() }

    private let root: View
    private let device: any Device
    private let scheduler: any Scheduler
    private let sizeRelay: BehaviorRelay<Size>
    private let bag = DisposeBag()
    private let frameTimer = SerialDisposable()
    private var renderer: DifferenceRenderer
    private var phase = Phase.idle
    private var isDirty = false
    private var lastFrame: Duration?

    private enum Phase {
        case idle
        /// A frame will be drawn as soon as the frame interval has passed.
        case scheduled
        /// A frame is being written to the terminal.
        case sending
        case closed
    }

    /// Creates a screen. `resized` emits when the size of the device may have changed (`MainLoop.signals(SIGWINCH)`).
    public init(root: View, device: any Device, resized: Observable<Void>, scheduler: any Scheduler = MainScheduler.asyncInstance) {
        self.root = root
        self.device = device
        self.scheduler = scheduler
        renderer = DifferenceRenderer(depth: device.colorDepth, isASCII: !device.supportsUnicode)
        sizeRelay = BehaviorRelay(value: device.size.drawable)
        root.onChange = { [weak self] in self?.setNeedsDisplay() }
        resized.bind(with: self) { screen, _ in screen.resize() }.disposed(by: bag)
        setNeedsDisplay()
    }

    /// Creates a screen on this process's terminal: it follows the terminal's size, restores the terminal while the process is suspended
    /// (`kill -TSTP`), and redraws when the process continues. The terminal keeps it until ``close()``; ``run(reportsMouse:)`` shows it.
    public convenience init(root: View, terminal: Terminal) {
        self.init(root: root, device: terminal, resized: MainLoop.signals(SIGWINCH).map { _ in })
        terminal.screen = self
        // An ignored signal stays ignored, as in a process without job control.
        if !SignalAction(of: SIGTSTP).isIgnored {
            MainLoop.signals(SIGTSTP).bind(onNext: { [weak terminal] _ in terminal?.suspend() }).disposed(by: bag)
        }
        MainLoop.signals(SIGCONT)
            .bind(with: self) { [weak terminal] screen, _ in
                terminal?.resume()
                screen.resize()
            }
            .disposed(by: bag)
    }

    /// Sets up the terminal, draws until `MainLoop.stop(code:)` is called, and restores the terminal.
    ///
    /// - Parameter reportsMouse: see ``Terminal/enter(reportsMouse:)``.
    /// - Returns: the code of `stop`, for `exit`; 129, as after a hangup, if the terminal is gone.
    public func run(reportsMouse: Bool = false) -> Int32 {
        let terminal = device as? Terminal
        guard terminal?.enter(reportsMouse: reportsMouse) != false else { return 128 + SIGHUP }
        defer {
            close()
            terminal?.leave()
        }
        return MainLoop.run()
    }

    /// Redraws everything, for a terminal to which others have written.
    public func redraw() {
        renderer.invalidate()
        setNeedsDisplay()
    }

    /// Rings the terminal's bell.
    public func ringBell() {
        guard phase != .closed else { return }
        device.write([0x07]) { _ in }
    }

    /// Stops drawing.
    public func close() {
        phase = .closed
        frameTimer.dispose()
        guard let terminal = device as? Terminal, terminal.screen === self else { return }
        terminal.screen = nil
    }

    private func resize() {
        sizeRelay.accept(device.size.drawable)
        redraw()
    }

    private func setNeedsDisplay() {
        isDirty = true
        guard phase == .idle else { return }
        phase = .scheduled
        let elapsed = lastFrame.map { scheduler.now - $0 } ?? Self.frameInterval
        let action: @Sendable () -> Void = { [weak self] in MainScheduler.runOnMainActor { self?.drawFrame() } }
        frameTimer.disposable =
            elapsed >= Self.frameInterval ? scheduler.schedule(action) : scheduler.schedule(after: Self.frameInterval - elapsed, action)
    }

    private func drawFrame() {
        guard phase == .scheduled else { return }
        phase = .idle
        isDirty = false
        lastFrame = scheduler.now
        let bytes = renderer.render(root.snapshot(in: device.size.drawable, drawsBraille: device.drawsBraille))
        guard !bytes.isEmpty else { return }
        phase = .sending
        device.write(bytes) { [weak self] isTaken in self?.finishFrame(isTaken) }
    }

    private func finishFrame(_ isTaken: Bool) {
        guard phase == .sending else { return }
        phase = isTaken ? .idle : .closed
        if isDirty { setNeedsDisplay() }
    }

    private static let frameInterval = Duration.microseconds(16_667)
}
