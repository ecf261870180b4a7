import Foundation
import Streams
import StreamsTesting
import Testing

@testable import SocketNodes

/// The thread of the sockets and elements that are delivered elsewhere.
@Suite("Receivers of sockets") struct SocketReceiverTests {
    private final class Subscriber: Sendable {
        let scheduler = VirtualTimeScheduler()
        let log = TestObserver<String>()
        let receiver: SocketReceiver

        init(tellsAlways: Bool = false) {
            let observer = AnyObserver<Data> { [log] event in
                let text = event.element.map { String(decoding: $0, as: UTF8.self) } ?? (event.isCompleted ? "completed" : "failed")
                log.onNext(text)
            }
            receiver = SocketReceiver(observer, Lifetime(), on: scheduler, tellsAlways: tellsAlways)
        }

        var lines: [String] { log.values }

        func deliver(_ text: String) {
            receiver.deliver(Data(text.utf8)) { [log] in log.onNext("told of \(text)") }
        }
    }

    @Test func `An element that is taken before the next arrives is told of to nobody, and input stays of interest`() {
        let subscriber = Subscriber()
        subscriber.deliver("a")
        #expect(!subscriber.receiver.isReady && subscriber.receiver.wantsInput)
        subscriber.scheduler.run()
        #expect(subscriber.receiver.isReady && subscriber.receiver.wantsInput)
        subscriber.deliver("b")
        subscriber.scheduler.run()
        #expect(subscriber.lines == ["a", "b"])
    }

    @Test func `Input that arrives before the element is taken waits, and is of no interest until it is told that it was`() {
        let subscriber = Subscriber()
        subscriber.deliver("a")
        #expect(!subscriber.receiver.awaitElement())
        #expect(!subscriber.receiver.awaitElement() && !subscriber.receiver.wantsInput)
        subscriber.scheduler.run()
        #expect(subscriber.lines == ["a", "told of a"])
        #expect(subscriber.receiver.awaitElement() && subscriber.receiver.isReady)
    }

    @Test func `With a timeout of idle connections each element is told of: the time until then is not the peer's`() {
        let subscriber = Subscriber(tellsAlways: true)
        subscriber.deliver("a")
        #expect(!subscriber.receiver.wantsInput)
        subscriber.scheduler.run()
        #expect(subscriber.lines == ["a", "told of a"])
    }

    @Test func `The end follows an element that is on its way`() {
        let subscriber = Subscriber()
        subscriber.deliver("a")
        subscriber.receiver.end(.completed)
        #expect(subscriber.lines.isEmpty)
        subscriber.scheduler.run()
        #expect(subscriber.lines == ["a", "told of a"])
        subscriber.receiver.didTake()
        subscriber.scheduler.run()
        #expect(subscriber.lines == ["a", "told of a", "completed"])
    }
}
