import Foundation
import Testing

@testable import NATSNodes

@Suite("What a publisher and a consumer have on the way")
struct WindowTests {
    private func acknowledgement(_ number: Int) -> NATSStream.Acknowledgement {
        NATSStream.Acknowledgement(stream: "s", sequence: number)
    }

    private func sends(_ window: inout PublishWindow<Int>) -> [Int] {
        var numbers: [Int] = []
        while let send = window.nextSend() { numbers.append(send.element) }
        return numbers
    }

    @Test func `No more is on its way than allowed, and acknowledgements are passed on in order`() {
        var window = PublishWindow<Int>(capacity: 3)
        for number in 0..<5 { window.append(number) }
        let first = sends(&window)
        let afterSecond = window.didStore(1, acknowledgement(1))
        let next = sends(&window)
        let afterFirst = window.didStore(0, acknowledgement(0))
        #expect(first == [0, 1, 2])
        #expect(afterSecond.isEmpty)
        #expect(next == [3])
        #expect(afterFirst.map(\.sequence) == [0, 1])
    }

    @Test func `After a failure nothing is sent before all on the way is answered, and then everything from the first that failed`() {
        var window = PublishWindow<Int>(capacity: 4)
        for number in 0..<6 { window.append(number) }
        _ = sends(&window)
        window.didFail(1)
        let meanwhile = sends(&window)
        _ = window.didStore(0, acknowledgement(0))
        _ = window.didStore(3, acknowledgement(3))
        let wasSettled = window.isSettled
        window.didFail(2)
        let isSettled = window.isSettled
        window.resume()
        let again = window.nextSend()
        let rest = sends(&window)
        #expect(meanwhile.isEmpty && !wasSettled && isSettled)
        #expect(again?.element == 1 && again?.predecessor == nil)
        #expect(rest == [2, 4, 5])
    }

    @Test(arguments: [Int.min, -1, .max])
    func `Absurd numbers of a server are no crash: neither of what it will not send, nor of where a message is stored`(_ number: Int) {
        var pulls = PullState(capacity: 4)
        let pull = pulls.nextPull()
        pulls.didEnd(pull?.id ?? 0, undelivered: number)
        #expect((0...4).contains(pulls.requested))
        for place in 2..<7 {
            let fields = (0..<7).map { $0 == place ? "\(number)" : "1" }
            #expect(DeliveryMetadata(reply: "$JS.ACK.\(fields.joined(separator: "."))") == nil)
        }
        #expect(DeliveryMetadata(reply: "$JS.ACK.s.c.1.2.3.4.5")?.sequence == 2)
    }

    @Test func `A message names the one that it follows, except the first of a round`() {
        var window = PublishWindow<Int>(capacity: 10)
        for number in 0..<3 { window.append(number) }
        var predecessors: [Int?] = []
        while let send = window.nextSend() { predecessors.append(send.predecessor) }
        #expect(predecessors == [nil, 0, 1])
    }

    @Test func `A window of any length forgets what was passed on`() {
        var window = PublishWindow<Int>(capacity: 2)
        var passedOn: [Int] = []
        for number in 0..<10_000 {
            window.append(number)
            guard let send = window.nextSend() else { continue }
            passedOn += window.didStore(send.number, acknowledgement(send.number)).map(\.sequence)
        }
        #expect(passedOn == Array(0..<10_000))
        #expect(window.isEmpty)
    }

    @Test func `A message is released when it is acknowledged, also before the one that it follows`() {
        final class Body: Sendable {}
        var window = PublishWindow<Body>(capacity: 10)
        weak var first: Body?
        weak var second: Body?
        do {
            let bodies = (Body(), Body())
            (first, second) = bodies
            window.append(bodies.0)
            window.append(bodies.1)
        }
        for number in 0..<2 { _ = window.nextSend().map { #expect($0.number == number) } }
        #expect(first != nil && second != nil)
        let early = window.didStore(1, acknowledgement(1))
        #expect(early.isEmpty && first != nil && second == nil)
        let both = window.didStore(0, acknowledgement(0))
        #expect(both.count == 2 && first == nil)
    }

    @Test(arguments: [Int.min, -1, 0, 1, Int.max - 1, .max])
    func `Any capacity is one: below one it counts as one, and the largest is no overflow`(_ capacity: Int) {
        var window = PublishWindow<Int>(capacity: capacity)
        for number in 0..<3 { window.append(number) }
        let sent = sends(&window)
        #expect(sent == (capacity > 1 ? [0, 1, 2] : [0]))
        var state = PullState(capacity: capacity)
        let pull = state.nextPull()
        #expect(pull?.count == max(1, capacity))
        state.didReceive()
        state.didFinish()
        let next = state.nextPull()
        #expect(next?.count == (capacity > 1 ? nil : 1))
    }

    @Test func `More is asked for when half of the capacity is free, and never more than that`() {
        var state = PullState(capacity: 10)
        let first = state.nextPull()
        let none = state.nextPull()
        for _ in 0..<10 { state.didReceive() }
        for _ in 0..<4 { state.didFinish() }
        let tooEarly = state.nextPull()
        state.didFinish()
        let second = state.nextPull()
        #expect(first == .init(id: 1, count: 10) && none == nil && tooEarly == nil)
        #expect(second == .init(id: 2, count: 5))
    }

    @Test func `A request that has expired is followed by another, and a forgotten one counts no more`() {
        var state = PullState(capacity: 10)
        _ = state.nextPull()
        for _ in 0..<2 { state.didReceive() }
        state.didEnd(1, undelivered: 8)
        let second = state.nextPull()
        state.forget()
        state.didEnd(2, undelivered: 8)
        let third = state.nextPull()
        state.didEnd(3, undelivered: nil)
        #expect(second?.count == 8 && third?.count == 8 && state.requested == 0)
    }

    @Test func `The reply of a delivery says what it is, of older and of newer servers`() throws {
        let old = try #require(DeliveryMetadata(reply: "$JS.ACK.ORDERS.billing.2.105.90.1700000000500000000.7"))
        #expect(old.stream == "ORDERS" && old.consumer == "billing" && old.deliveries == 2)
        #expect(old.sequence == 105 && old.consumerSequence == 90 && old.pending == 7)
        #expect(old.time == Date(timeIntervalSince1970: 1_700_000_000.5))
        #expect(DeliveryMetadata(reply: "$JS.ACK.hub.ACC.ORDERS.billing.2.105.90.1700000000500000000.7.token") == old)
        for bad in [nil, "", "$JS.ACK", "$JS.ACK.a.b.c.d.e.f.g", "_INBOX.x", "$JS.ACK.a.b.1.2.3.4"] {
            #expect(DeliveryMetadata(reply: bad) == nil)
        }
    }
}
