import Foundation

/// Lays out a view on a terminal and keeps the picture up to date.
///
/// Only differences are sent, at most 60 times a second, and only when a view asked for it: a screen where nothing changes costs
/// nothing. Of a device with more than 1000 columns or 500 rows only so many are used. While the terminal does not take what was sent, no more is drawn; the next picture then shows the latest state.
@MainActor
public final class Screen: ReactiveCompatible {
    /// The extent of the terminal, beginning with the present one.
    public var size: Observable<Size> { sizeRelay.asObservable() }

    private let root: View
    private let device: any ScreenDevice
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
        /// A frame will be drawn, as soon as the last one is old enough.
        case scheduled
        /// A frame is on its way to the terminal.
        case sending
        case closed
    }

    /// `resized` tells that the extent of the device may have changed (`MainLoop.signals(SIGWINCH)`).
    public init(root: View, device: any ScreenDevice, resized: Observable<Void>, scheduler: any Scheduler = MainScheduler.asyncInstance) {
        self.root = root
        self.device = device
        self.scheduler = scheduler
        renderer = DifferenceRenderer(depth: device.colorDepth)
        sizeRelay = BehaviorRelay(value: device.size.drawable)
        root.onChange = { [weak self] in self?.setNeedsDisplay() }
        resized.bind(with: self) { screen, _ in screen.resize() }.disposed(by: bag)
        setNeedsDisplay()
    }

    /// A screen on this process's terminal: it follows the terminal's size, gives the terminal back while the process is stopped
    /// (`kill -TSTP`), and takes it and draws anew when the process goes on.
    public convenience init(root: View, terminal: Terminal) {
        self.init(root: root, device: terminal, resized: MainLoop.signals(SIGWINCH).map { _ in })
        // Ignored where no shell controls jobs: then it stays so.
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

    /// Draws everything anew: for a terminal that others have written on.
    public func redraw() {
        renderer.invalidate()
        setNeedsDisplay()
    }

    /// Draws nothing any more.
    public func close() {
        phase = .closed
        frameTimer.dispose()
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
        let bytes = renderer.render(root.snapshot(in: device.size.drawable))
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

extension Size {
    /// What pictures are made for: a device can say that it is as large as it likes (a terminal 65,535 x 65,535).
    fileprivate var drawable: Size { Size(width: min(width, 1000), height: min(height, 500)) }
}
