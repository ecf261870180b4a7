import StreamsTesting
import Testing

/// The deliveries of a pushed source to a subscriber that can suspend it.
@Suite("Outlets", .countsResources) struct OutletTests {
    private final class Subscriber: Sendable {
        let gate = Gate()
        let log = TestObserver<Int>()
        let resumptions = Tally()
        let outlet: Outlet<Int>

        init(_ receive: @escaping @Sendable (Event<Int>) -> Void = { _ in }) {
            let observer = AnyObserver<Int> { [log] event in
                log.on(event)
                receive(event)
            }
            outlet = Outlet(observer, gate)
        }

        /// Whether it is ready; told that it is again, it continues at once.
        var isReady: Bool {
            outlet.awaitReadiness { [outlet, resumptions] in
                resumptions.add()
                outlet.didResume()
            }
        }
    }

    @Test func `Elements wait for a suspended subscriber, in order and with the end behind them`() {
        let subscriber = Subscriber()
        subscriber.outlet.deliver(.next(1))
        subscriber.gate.suspend()
        for event in [Event.next(2), .next(3), .completed] { subscriber.outlet.deliver(event) }
        #expect(subscriber.log.values == [1])
        #expect(!subscriber.isReady)
        subscriber.gate.resume().perform()
        #expect(subscriber.log.values == [1, 2, 3])
        #expect(subscriber.log.isCompleted)
    }

    @Test func `The end does not wait for a suspended subscriber if nothing else does`() {
        let subscriber = Subscriber()
        subscriber.gate.suspend()
        subscriber.outlet.deliver(.completed)
        #expect(subscriber.log.isCompleted)
    }

    @Test func `A source that asks repeatedly during a suspension is told once when that ends`() {
        let subscriber = Subscriber()
        #expect(subscriber.isReady)
        for expected in 1...2 {
            subscriber.gate.suspend()
            for _ in 0..<3 { #expect(!subscriber.isReady) }
            #expect(subscriber.outlet.isParked)
            subscriber.gate.resume().perform()
            #expect(subscriber.resumptions.value == expected)
            #expect(subscriber.isReady)
        }
    }

    @Test func `A source is told also if the subscriber was resumed before it asked, as long as an element waits`() {
        let subscriber = Subscriber()
        subscriber.gate.suspend()
        subscriber.outlet.deliver(.next(1))
        subscriber.gate.resume().perform()
        #expect(!subscriber.isReady)
        #expect(subscriber.resumptions.value == 1)
        #expect(subscriber.log.values == [1])
        #expect(subscriber.isReady)
    }

    @Test func `What a subscriber makes the source deliver follows the element that it is receiving`() {
        let sent = Lock<Outlet<Int>?>(nil)
        let order = Lock<[String]>([])
        let subscriber = Subscriber { event in
            order.withLock { $0.append("\(event) begins") }
            if case .next(1) = event { sent.withLock { $0 }?.deliver(.completed) }
            order.withLock { $0.append("\(event) ends") }
        }
        sent.withLock { $0 = subscriber.outlet }
        subscriber.outlet.deliver(.next(1), urgently: true)
        #expect(order.withLock { $0 } == ["next(1) begins", "next(1) ends", "completed begins", "completed ends"])
        sent.withLock { $0 = nil }
    }

    @Test func `An urgent element does not wait, and one that is replaced is not delivered`() {
        let subscriber = Subscriber()
        subscriber.gate.suspend()
        subscriber.outlet.deliver(.next(1), urgently: true)
        #expect(subscriber.log.values == [1])
        for number in 2...4 { subscriber.outlet.deliver(.next(number)) { $0 > 2 } }
        #expect(!subscriber.isReady)
        subscriber.gate.resume().perform()
        #expect(subscriber.log.values == [1, 2, 4])
    }

    @Test func `A subscription that is disposed while it is suspended receives nothing more, and frees everything`() {
        let subscriber = Subscriber()
        subscriber.gate.suspend()
        subscriber.outlet.deliver(.next(1))
        #expect(!subscriber.isReady)
        subscriber.gate.dispose()
        subscriber.gate.resume().perform()
        subscriber.outlet.deliver(.next(2))
        #expect(subscriber.log.events.isEmpty)
        #expect(!subscriber.isReady)
        #expect(subscriber.resumptions.value == 0)
    }
}
