import Foundation
import Streams
import Testing

@testable import SocketNodes

@Suite("Bytes that wait to be written")
struct OutgoingBytesTests {
    @Test func `The bound is in bytes, and each policy does at it what it says; one element alone may be larger`() {
        var failing = OutgoingBytes(.fail(capacity: 10))
        #expect(add("0123456789", to: &failing) == .started)
        #expect(add("x", to: &failing) == .overflow(capacity: 10))
        var newest = OutgoingBytes(.dropNewest(capacity: 10))
        for text in ["01234567", "abc", "de"] { _ = add(text, to: &newest) }
        #expect(take(from: &newest) == "01234567de")
        var oldest = OutgoingBytes(.dropOldest(capacity: 10))
        for text in ["0123", "4567", "abc", "defghi"] { _ = add(text, to: &oldest) }
        #expect(take(from: &oldest) == "abcdefghi")
        #expect(add("a text that is larger", to: &oldest) == .queued)
        #expect(add("b", to: &oldest) == .queued)
        #expect(take(from: &oldest) == "b")
        var alone = OutgoingBytes(.fail(capacity: 1))
        #expect(add("larger", to: &alone) == .started)
        #expect(alone.count == 6)
    }

    @Test func `Bytes behind a change of security wait for it, and are not dropped with those before it`() {
        var bytes = OutgoingBytes(.dropOldest(capacity: 8))
        _ = add("plain", to: &bytes)
        #expect(bytes.append(.upgrade(TLSOptions(), { _ in })) == false)
        _ = add("abc", to: &bytes)
        #expect(bytes.nextAction() == nil)
        #expect(take(from: &bytes) == "plain")
        bytes.didWrite(5)
        #expect(bytes.nextAction() != nil)
        // Over the limit now: only what is behind the change can be dropped.
        _ = add("defghi", to: &bytes)
        #expect(take(from: &bytes) == "defghi")
    }

    @Test func `An action has its turn when what was sent before it is written, also if some of that is dropped`() {
        var bytes = OutgoingBytes(.dropOldest(capacity: 4))
        _ = add("12", to: &bytes)
        #expect(take(from: &bytes) == "12")
        _ = add("34", to: &bytes)
        _ = bytes.append(.flush({ _ in }))
        _ = add("56", to: &bytes)
        #expect(bytes.nextAction() == nil)
        bytes.didWrite(2)
        #expect(bytes.nextAction() != nil)
    }

    @Test func `Nothing is accepted behind a close`() {
        var bytes = OutgoingBytes(.unbounded)
        #expect(bytes.append(.close) == true)
        #expect(add("x", to: &bytes) == .closed)
        #expect(bytes.append(.closeSending) == nil)
        #expect(bytes.removeAll().count == 1)
    }

    @Test func `Taken bytes are written in order with copied ones, and leave an empty array with the memory of earlier ones`() {
        var outgoing = OutgoingBytes(.unbounded)
        var bytes = Array("1".utf8)
        #expect(outgoing.append(taking: &bytes) == .started)
        #expect(bytes.isEmpty)
        _ = add("2", to: &outgoing)
        bytes = Array("3".utf8)
        #expect(outgoing.append(taking: &bytes) == .queued)
        #expect(bytes.isEmpty && outgoing.count == 3)
        #expect(take(from: &outgoing) == "123")
        _ = outgoing.append(.close)
        bytes = Array("4".utf8)
        #expect(outgoing.append(taking: &bytes) == .closed)
        #expect(take(from: &outgoing).isEmpty)
    }

    @Test func `Taken bytes keep to the bound`() {
        var outgoing = OutgoingBytes(.fail(capacity: 3))
        var bytes = Array("12".utf8)
        #expect(outgoing.append(taking: &bytes) == .started)
        bytes = Array("34".utf8)
        #expect(outgoing.append(taking: &bytes) == .overflow(capacity: 3))
    }

    @Test func `A flush that is added between the engine's last look and its rest is not forgotten`() {
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

    private func add(_ text: String, to bytes: inout OutgoingBytes) -> OutgoingBytes.Outcome {
        Array(text.utf8).withUnsafeBytes { bytes.append($0) }
    }

    private func take(from bytes: inout OutgoingBytes) -> String {
        var batch: [UInt8] = []
        _ = bytes.take(into: &batch)
        return String(decoding: batch, as: UTF8.self)
    }
}
