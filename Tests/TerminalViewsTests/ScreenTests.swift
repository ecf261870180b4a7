import StreamsTesting
import TestSupport
import Testing

@testable import TerminalViews

/// A device that shows what it is sent, and takes it only when told to.
@MainActor
private final class SlowDevice: Screen.Device {
    var size: Size
    let colorDepth = Color.Depth.palette
    private(set) var screen: TerminalEmulator
    private(set) var writes = 0
    private var waiting: [@MainActor @Sendable (Bool) -> Void] = []

    init(size: Size) {
        self.size = size
        screen = TerminalEmulator(size: size)
    }

    func write(_ bytes: [UInt8], then done: @escaping @MainActor @Sendable (Bool) -> Void) {
        if screen.size != size { screen = TerminalEmulator(size: size) }
        screen.feed(bytes)
        writes += 1
        waiting.append(done)
    }

    func finishWrite(_ isTaken: Bool = true) {
        for done in waiting.splice() { done(isTaken) }
    }
}

extension Array {
    fileprivate mutating func splice() -> [Element] {
        defer { removeAll() }
        return self
    }
}

@MainActor
@Suite("A screen draws changes only, and not too often", .countsResources)
struct ScreenTests {
    private let time = VirtualTimeScheduler()
    private let label = Label("one")
    private let device = SlowDevice(size: Size(width: 10, height: 2))
    private let resized = PublishSubject<Void>()
    private let screen: Screen

    init() {
        screen = Screen(root: label, device: device, resized: resized.asObservable(), scheduler: time)
    }

    private func settle() {
        time.advance(by: .milliseconds(100))
        device.finishWrite()
    }

    @Test func `The first frame is drawn automatically, the next after a change`() {
        settle()
        #expect(device.screen.text == "one\n")
        label.text = "two"
        #expect(device.writes == 1)
        settle()
        #expect(device.screen.text == "two\n")
        #expect(device.writes == 2)
    }

    @Test(arguments: [65_535, 1_000_000, 0]) func `A device of any size gets a frame of bounded size`(length: Int) async throws {
        settle()
        device.size = Size(width: length, height: length)
        resized.onNext(())
        let size = try await screen.size.firstElement()
        #expect(size == Size(width: min(length, 1000), height: min(length, 500)))
    }

    @Test func `Nothing is written or scheduled without changes`() {
        settle()
        label.text = "one"
        settle()
        #expect(device.writes == 1)
        label.text = "x"
        label.text = "one"
        settle()
        #expect(device.writes == 1)
    }

    @Test func `At most 60 frames a second are drawn, and the last one shows the last state`() {
        settle()
        for step in 0..<1000 {
            label.text = "\(step)"
            time.advance(by: .milliseconds(1))
            device.finishWrite()
        }
        settle()
        #expect((50...62).contains(device.writes))
        #expect(device.screen.text == "999\n")
    }

    @Test func `While the terminal has not taken a frame no other is drawn; then the latest is`() {
        time.advance(by: .milliseconds(100))
        label.text = "lost"
        time.advance(by: .seconds(1))
        label.text = "latest"
        time.advance(by: .seconds(1))
        #expect(device.writes == 1)
        settle()
        settle()
        #expect(device.screen.text == "latest\n")
        #expect(device.writes == 2)
    }

    @Test func `A new size is emitted and everything is redrawn`() {
        settle()
        let sizes = BehaviorRelay<[Size]>(value: [])
        let subscription = screen.size.subscribe(onNext: { size in sizes.accept(sizes.value + [size]) })
        device.size = Size(width: 20, height: 3)
        resized.onNext(())
        settle()
        #expect(device.screen.text == "one\n\n")
        #expect(sizes.value == [Size(width: 10, height: 2), Size(width: 20, height: 3)])
        subscription.dispose()
    }

    @Test func `After a disconnect, or when the screen is closed, nothing is drawn`() {
        time.advance(by: .milliseconds(100))
        device.finishWrite(false)
        label.text = "two"
        settle()
        #expect(device.writes == 1)
        let other = Screen(root: label, device: device, resized: .never(), scheduler: time)
        other.close()
        settle()
        #expect(device.writes == 1)
    }

    @Test func `Redrawing sends everything again`() {
        settle()
        screen.redraw()
        settle()
        #expect(device.writes == 2)
    }
}

@MainActor
@Suite("Views are bound to streams", .countsResources)
struct BindingTests {
    @Test func `Settable properties are binders, also from another thread`() async {
        let label = Label("before")
        let bag = DisposeBag()
        let texts = PublishSubject<String>()
        texts.bind(to: label.rx.text).disposed(by: bag)
        texts.map { $0.isEmpty }.bind(to: label.rx.isHidden).disposed(by: bag)
        await Task.detached { texts.onNext("after") }.value
        await changed { label.text == "after" }
        texts.onNext("")
        #expect(label.isHidden)
    }

    @Test func `A table emits its selection`() {
        let table = Table(columns: [.init("A")])
        let seen = BehaviorRelay<[String?]>(value: [])
        let subscription = table.selection.subscribe(onNext: { id in seen.accept(seen.value + [id]) })
        table.rows = [Table.Row(id: "1", ["x"]), Table.Row(id: "2", ["y"])]
        table.handle(.down)
        #expect(seen.value == [nil, "1", "2"])
        subscription.dispose()
    }

    /// Lets the main loop run until that is so, ten minutes at most.
    private func changed(_ isReached: @MainActor () -> Bool) async {
        let deadline = ContinuousClock.now + .seconds(600)
        while !isReached(), ContinuousClock.now < deadline { await Task.yield() }
        #expect(isReached())
    }
}
