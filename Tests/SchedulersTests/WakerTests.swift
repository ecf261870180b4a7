import Foundation
import Sockets
import Streams
import StreamsTesting
import TestSupport
import Testing

@testable import Schedulers
@testable import StreamsInspector
@testable import SystemSources
@testable import TerminalViews

@Suite("The waker", .blocksThread)
struct WakerTests {
    /// The events before a wait, and the reason why it ends.
    private struct Sample: Sendable {
        let name: String
        let prepare: @Sendable (Waker, _ pipe: Pipe) -> Void
        let waiting: @Sendable (Pipe) -> Waker.Waiting

        static let all = [
            Sample(name: "nothing", prepare: { _, _ in }, waiting: { _ in .ready([]) }),
            Sample(name: "woken", prepare: { waker, _ in waker.wake() }, waiting: { _ in .woken }),
            Sample(name: "woken a thousand times", prepare: { waker, _ in for _ in 0..<1_000 { waker.wake() } }, waiting: { _ in .woken }),
            Sample(
                name: "woken and cleared",
                prepare: { waker, _ in
                    waker.wake()
                    waker.clear()
                }, waiting: { _ in .ready([]) }),
            Sample(name: "readable", prepare: { _, pipe in pipe.write() }, waiting: { .ready([$0.reading]) }),
            Sample(
                name: "readable and woken",
                prepare: { waker, pipe in
                    pipe.write()
                    waker.wake()
                }, waiting: { _ in .woken }),
            Sample(name: "hung up", prepare: { _, pipe in pipe.closeWriting() }, waiting: { .ready([$0.reading]) }),
            Sample(
                name: "closed", prepare: { _, pipe in pipe.closeReading() },
                waiting: { .failed(code: EBADF, descriptor: $0.reading) }),
        ]
    }

    /// A pipe of a sample.
    private struct Pipe {
        let reading: Int32
        let writing: Int32

        init() throws {
            (reading, writing) = try #require(PrivateDescriptors.pipe())
        }

        func write() { _ = Foundation.write(writing, "x", 1) }
        func closeWriting() { close(writing) }
        func closeReading() { close(reading) }
    }

    @Test(.startsChild) func `A wait ends for what happened before it, and once for any number of calls`() async {
        // In a process of its own: the number of a closed descriptor is used again.
        await #expect(processExitsWith: .success) {
            for sample in Sample.all {
                let (waker, pipe) = (try #require(Waker()), try Pipe())
                sample.prepare(waker, pipe)
                #expect(waker.wait(reading: [pipe.reading], timeout: .zero) == sample.waiting(pipe), "\(sample.name)")
                if sample.waiting(pipe) == .woken {
                    #expect(waker.wait(reading: [], timeout: .zero) == .ready([]), "\(sample.name)")
                }
            }
        }
    }

    @Test func `A wait that has begun ends when another thread wakes it, or a descriptor can be written`() throws {
        let waker = try #require(Waker())
        for _ in 0..<100 {
            Thread.detachNewThread { waker.wake() }
            #expect(waker.wait(reading: []) == .woken)
        }
        let ends = try #require(PrivateDescriptors.pipe())
        #expect(waker.wait(reading: [ends.reading], writing: [ends.writing]) == .ready([ends.writing]))
        for end in [ends.reading, ends.writing] { close(end) }
    }

    @Test func `A set of sockets is woken by each call, and does not report the waker`() throws {
        let waker = try #require(Waker())
        let set = try #require(SocketSet(wokenBy: waker))
        defer { SocketSet.close(set.descriptor) }
        for _ in 0..<100 {
            Thread.detachNewThread { waker.wake() }
            set.wait(nanoseconds: nil) { socket, _ in Issue.record("\(socket) is ready") }
        }
    }

    @Test(.startsChild) func `Without descriptors its users say so, and with some they start`() async {
        await #expect(processExitsWith: .success) {
            #expect(DispatchDescriptors.open())
            try OpenDescriptors.limit(toSpare: 0)
            let errors = WakerUser.all.map { user in
                do { try user.start()() } catch { return "\(error)" }
                return "none"
            }
            try OpenDescriptors.unlimit()
            for (user, error) in zip(WakerUser.all, errors) { #expect(error == user.error, "\(user.name): \(error)") }
            for user in WakerUser.all { try user.start()() }
        }
    }

    @Test(.startsChild) func `A thousand of each, one after the other, leave no descriptor open`() async {
        await #expect(processExitsWith: .success) {
            for user in WakerUser.all { try user.start()() }
            try OpenDescriptors.limit(toSpare: 8)
            let deadline = ContinuousClock.now + .seconds(300)
            for user in WakerUser.all {
                var count = 0
                // The thread of the last one may still have to close its descriptors.
                while count < 1_000, ContinuousClock.now < deadline {
                    guard let stop = try? user.start() else { continue }
                    stop()
                    count += 1
                }
                #expect(count == 1_000, "\(user.name)")
            }
            try OpenDescriptors.unlimit()
        }
    }
}

/// Those who own a waker.
private struct WakerUser: Sendable {
    struct NotStarted: Error {}

    let name: String
    /// The error without descriptors.
    let error: String
    /// Starts it; returns what stops it.
    let start: @Sendable () throws -> @Sendable () -> Void

    static let all = [
        WakerUser(name: "a set of sockets", error: "NotStarted()") {
            guard let waker = Waker(), let set = SocketSet(wokenBy: waker) else { throw NotStarted() }
            return { [descriptor = set.descriptor] in SocketSet.close(descriptor) }
        },
        WakerUser(
            name: "a source's thread", error: "The system is out of resources (\(Waker.creation)): Too many open files."
        ) {
            let end = Lock<(any Error)?>(nil)
            let subscription = Observable<Int>.onThread { thread in while !thread.isDisposed { try thread.wait() } }
                .subscribe(onError: { error in end.withLock { $0 = error } })
            if let error = end.withLock({ $0 }) { throw error }
            return { subscription.dispose() }
        },
        WakerUser(name: "a keyboard", error: "The keyboard cannot be read (\(Waker.creation)): Too many open files.") {
            let ends = PrivateDescriptors.pipe()
            defer { for end in [ends?.reading, ends?.writing] { end.map { _ = close($0) } } }
            let reader = try DescriptorReader(ends?.reading ?? STDIN_FILENO) { _ in }
            return { reader.stop() }
        },
        WakerUser(name: "signals", error: "NotStarted()") {
            let listener = MainLoop.onSignal(SIGHUP) {}
            guard MainLoop.isListening(to: SIGHUP) else { throw NotStarted() }
            return { listener.dispose() }
        },
        WakerUser(name: "the inspector", error: "Failure(error: \"no socket can be created: error \(EMFILE)\")") {
            let folder = try Folder()
            try InspectorServer.start(at: "\(folder.path)/\(getpid())-test.sock", InspectorScope().streams)
            return { withExtendedLifetime(folder) { InspectorServer.stop() } }
        },
    ]
}
