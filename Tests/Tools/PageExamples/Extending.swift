// The blocks of `Docs/Extending.md`, with what they take for granted.
import NodeKit
import TerminalViews

/// A sensor of some library that calls back.
private final class Sensor: Sendable {
    func start(_ handler: @escaping @Sendable (Double) -> Void) -> Int { 0 }
    func stop(_ token: Int) {}
}

extension Sensor {
    /// Emits the readings while someone is subscribed.
    var readings: Observable<Double> {
        .create { observer in
            let token = self.start { reading in observer.onNext(reading) }
            return Disposables.create { self.stop(token) }
        }
    }
}

/// Asks the second node when the first has failed.
struct FallbackNode<Input: Sendable, Output: Sendable>: Node {
    let first: any Node<Input, Output>
    let second: any Node<Input, Output>

    func stream(_ input: Input) -> Observable<Output> {
        first.stream(input).catch { _ in second.stream(input) }
    }
}

/// Sends each request after a delay: to see how a program does on a slow line.
struct DelayedTransport: Transport {
    let next: any Transport
    let delay: Duration
    var scheduler: any Scheduler = ConcurrentDispatchQueueScheduler(qos: .utility)

    func transfer(_ request: HTTPRequest) -> Observable<TransferEvent> {
        next.transfer(request).delaySubscription(delay, scheduler: scheduler)
    }
}

/// A bar from 0 to 1.
final class Meter: View {
    var level = 0.0 { didSet { if level != oldValue { setNeedsDisplay() } } }

    override func fittingSize(in available: Size) -> Size {
        Size(width: available.width, height: 1)
    }

    override func draw(in canvas: inout Canvas) {
        let share = level > 0 ? min(level, 1) : 0  // 0 for NaN, too
        let filled = Int(Double(canvas.drawingSize.width) * share)
        canvas.draw(StyledText(String(repeating: "█", count: filled)), at: Point(x: 0, y: 0))
    }
}
