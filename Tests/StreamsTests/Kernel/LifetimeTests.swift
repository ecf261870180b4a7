import Dispatch
import StreamsTesting
import Synchronization
import Testing

@testable import Streams

@Suite("Lifetimes", .countsResources)
struct LifetimeTests {
    @Test func `Those that are left are disposed the latest first, whichever were removed before, in whatever order`() {
        for count in 0...5 {
            for removed in Self.orders(of: Array(0..<count)) {
                let lifetime = Lifetime()
                let log = Log()
                let members = (0..<count).map { Probe($0, in: lifetime, log) }
                for member in members { member.attach() }
                for name in removed { members[name].detach() }
                lifetime.dispose()
                #expect(log.disposed == (0..<count).reversed().filter { !removed.contains($0) }, "removed \(removed) of \(count)")
            }
        }
    }

    @Test func `Members that come and go leave the same list as an array would`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let lifetime = Lifetime()
            let log = Log()
            var expected: [Probe] = []
            for name in 0..<Int.random(in: 1...60, using: &generator) {
                if !expected.isEmpty, Int.random(in: 0..<5, using: &generator) < 3 {
                    expected.remove(at: Int.random(in: 0..<expected.count, using: &generator)).detach()
                } else {
                    expected.append(Probe(name, in: lifetime, log))
                    expected.last?.attach()
                }
            }
            lifetime.dispose()
            #expect(log.disposed == expected.reversed().map(\.name))
        }
    }

    @Test func `A member that was removed, or was removed twice, is disposed with no lifetime and released`() {
        let lifetime = Lifetime()
        let log = Log()
        for _ in 0..<2 {
            let member = Probe(1, in: lifetime, log)
            member.attach()
            member.detach()
            member.detach()
        }
        #expect(log.released == 2)
        lifetime.dispose()
        #expect(log.disposed == [])
    }

    @Test func `A disposed lifetime begins anew if nobody else references it and its parent goes on, and is disposed with that again`() {
        let parent = Lifetime()
        var spare: Lifetime? = Lifetime(of: parent)
        spare?.attach()
        spare?.dispose()
        let isRenewedTwice = isRenewedBesideAnother(&spare)
        #expect(!isRenewedTwice && spare?.isDisposed == true)
        let isRenewed = Lifetime.renew(&spare) != nil
        #expect(isRenewed && spare?.isDisposed == false && !parent.isEmpty)
        parent.dispose()
        #expect(spare?.isDisposed == true)
        let isRenewedAfterParent = Lifetime.renew(&spare) != nil
        #expect(!isRenewedAfterParent && spare?.isDisposed == true)
    }

    private func isRenewedBesideAnother(_ spare: inout Lifetime?) -> Bool {
        let other = spare
        return withExtendedLifetime(other) { Lifetime.renew(&spare) != nil }
    }

    @Test func `A member that comes after the disposal is disposed at once`() {
        let lifetime = Lifetime()
        let log = Log()
        lifetime.dispose()
        #expect(!Probe(1, in: lifetime, log).attach())
        #expect(log.disposed == [1])
        #expect(log.released == 1)
    }

    @Test func `A hundred thousand members are removed in any order in linear time`() {
        let lifetime = Lifetime()
        let log = Log()
        var members = (0..<100_000).map { Probe($0, in: lifetime, log) }
        for member in members { member.attach() }
        var generator = SeededGenerator(seed: 3)
        members.shuffle(using: &generator)
        for member in members { member.detach() }
        members = []
        #expect(log.released == 100_000)
        lifetime.dispose()
        #expect(log.disposed == [])
    }

    @Test func `Threads that add and remove members at the same time lose none, and remove no other's`() {
        for seed in 0..<200 {
            let lifetime = Lifetime()
            let log = Log()
            let left = Lock<Set<Int>>([])
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                let own = Self.addAndRemove(in: lifetime, log, firstName: thread * 1_000, seed: UInt64(seed * 4 + thread))
                left.withLock { $0.formUnion(own) }
            }
            #expect(log.disposed == [])
            lifetime.dispose()
            #expect(Set(log.disposed) == left.withLock { $0 })
            #expect(log.disposed.count == left.withLock { $0.count })
        }
    }

    @Test func `While threads add and remove members, the disposal ends each that was not removed once, and all are released`() {
        for seed in 0..<200 {
            let lifetime = Lifetime()
            let log = Log()
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                guard thread > 0 else {
                    for _ in 0..<seed * 5 { _ = lifetime.isDisposed }
                    return lifetime.dispose()
                }
                _ = Self.addAndRemove(in: lifetime, log, firstName: thread * 1_000, seed: UInt64(seed * 4 + thread))
            }
            #expect(Set(log.disposed).count == log.disposed.count)
            #expect(log.released == log.created)
            #expect(lifetime.isEmpty)
        }
    }

    /// Adds and removes members; returns the names of those that it has not removed.
    private static func addAndRemove(in lifetime: Lifetime, _ log: Log, firstName: Int, seed: UInt64) -> [Int] {
        var generator = SeededGenerator(seed: seed)
        var own: [Probe] = []
        for name in firstName..<firstName + 100 {
            if !own.isEmpty, Bool.random(using: &generator) {
                own.remove(at: Int.random(in: 0..<own.count, using: &generator)).detach()
            } else {
                let member = Probe(name, in: lifetime, log)
                member.attach()
                own.append(member)
            }
        }
        return own.map(\.name)
    }

    /// All orders of any number of `names`.
    private static func orders(of names: [Int]) -> [[Int]] {
        [[]] + names.flatMap { first in orders(of: names.filter { $0 != first }).map { [first] + $0 } }
    }

    /// The members that were created, released and disposed.
    private final class Log: Sendable {
        private let state = Lock((created: 0, released: 0, disposed: [Int]()))

        var created: Int { state.withLock { $0.created } }
        var released: Int { state.withLock { $0.released } }
        var disposed: [Int] { state.withLock { $0.disposed } }

        func create() { state.withLock { $0.created += 1 } }
        func release() { state.withLock { $0.released += 1 } }
        func dispose(_ name: Int) { state.withLock { $0.disposed.append(name) } }
    }

    /// A member whose disposal and release are recorded.
    private struct Probe: Sendable {
        let name: Int
        private let member: ActionMember

        init(_ name: Int, in lifetime: Lifetime, _ log: Log) {
            let release = FinalRelease(log)
            self.name = name
            member = ActionMember({ withExtendedLifetime(release) { log.dispose(name) } }, parent: lifetime)
            log.create()
        }

        @discardableResult
        func attach() -> Bool { member.attach() }
        func detach() { member.detach() }
    }

    private final class FinalRelease: Sendable {
        private let log: Log

        init(_ log: Log) {
            self.log = log
        }

        deinit {
            log.release()
        }
    }
}
