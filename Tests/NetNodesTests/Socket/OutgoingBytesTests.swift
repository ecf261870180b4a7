import Testing

@testable import NetNodes

@Suite("The bytes that a socket has to write")
struct OutgoingBytesTests {
    @Test("A flush that is added between the engine's last look and its rest is not forgotten")
    func flushAtTheLastMoment() {
        var outgoing = OutgoingBytes(.unbounded)
        var batch: [UInt8] = []
        let isStarted = outgoing.append(.flush { _ in })
        let first = outgoing.nextAction()
        #expect(isStarted == true && first != nil)
        // The engine finds no further action; before it rests another thread adds one, and relies on the engine being busy.
        let nothing = outgoing.nextAction()
        let mustTell = outgoing.append(.flush { _ in })
        let hasBytes = outgoing.take(into: &batch)
        #expect(nothing == nil && mustTell == false && !hasBytes)
        #expect(outgoing.hasDueAction)
        let last = outgoing.nextAction()
        let isTaken = outgoing.take(into: &batch)
        let isStartedAgain = outgoing.append(.flush { _ in })
        #expect(last != nil && !isTaken && isStartedAgain == true)
    }
}
