import Foundation
import Streams

/// The main loop in a program of its own.
@MainActor
enum MainLoopProbe {
    private static let modes: [String: @MainActor () -> Int32] = [
        "stop": stop, "stop-before": stopBefore, "first-stop-wins": firstStopWins, "until": until, "again": again, "signal": signal,
        "signal-twice": signalTwice, "signal-restored": signalRestored, "signal-other": signalOther,
        "signal-ignored": signalIgnored, "signals": signals, "bag": bag, "idle": idle, "nested": nested,
        "nested-in-timer": nestedInTimer, "everything-runs": everythingRuns, "synchronous": synchronous, "bind-in-order": bindInOrder,
    ]

    private static let awaitingModes: [String: @MainActor () async -> Int32] = [
        "await-stop": awaitStop, "await-stop-before": awaitStopBefore, "await-cancelled": awaitCancelled, "await-run": awaitRun,
    ]

    static func run(_ mode: String) -> Never {
        // The threads of a test runner block signals, one under nohup ignores SIGHUP, and a process that they start inherits that.
        var everything = sigset_t()
        sigfillset(&everything)
        pthread_sigmask(SIG_UNBLOCK, &everything, nil)
        _ = Foundation.signal(SIGHUP, SIG_DFL)
        if let run = modes[mode] { exit(run()) }
        guard let run = awaitingModes[mode] else {
            print("modes: \((Array(modes.keys) + Array(awaitingModes.keys)).sorted().joined(separator: " "))")
            exit(64)
        }
        // As the runtime does for a program whose main awaits.
        Task { exit(await run()) }
        dispatchMain()
    }

    private nonisolated static func say(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }

    private nonisolated static func later(_ action: @escaping @Sendable () -> Void) {
        _ = ConcurrentDispatchQueueScheduler(qos: .userInitiated).schedule(after: .milliseconds(10), action)
    }

    private static func stop() -> Int32 {
        later { MainLoop.stop(code: 7) }
        return MainLoop.run()
    }

    private static func stopBefore() -> Int32 {
        MainLoop.stop(code: 5)
        return MainLoop.run()
    }

    private static func firstStopWins() -> Int32 {
        later {
            MainLoop.stop(code: 3)
            MainLoop.stop(code: 4)
        }
        return MainLoop.run()
    }

    private static func until() -> Int32 {
        let start = ContinuousClock.now
        let code = MainLoop.run(until: Date(timeIntervalSinceNow: 0.05))
        say("\(ContinuousClock.now - start >= .milliseconds(45))")
        return code
    }

    private static func again() -> Int32 {
        later { MainLoop.stop(code: 1) }
        say("\(MainLoop.run())")
        later { MainLoop.stop(code: 2) }
        return MainLoop.run()
    }

    private static func awaitStop() async -> Int32 {
        await Task.yield()
        Disposables.create { say("disposed") }.disposed(by: MainLoop.disposeBag)
        let seconds = Observable<Int>.interval(.milliseconds(5), scheduler: MainScheduler.instance)
        seconds.take(3).bind { say("\($0)") }.disposed(by: MainLoop.disposeBag)
        seconds.skip(4).take(1).bind { _ in MainLoop.stop(code: 7) }.disposed(by: MainLoop.disposeBag)
        return await MainLoop.stopped()
    }

    private static func awaitStopBefore() async -> Int32 {
        MainLoop.stop(code: 5)
        say("\(await MainLoop.stopped())")
        later { MainLoop.stop(code: 6) }
        return await MainLoop.stopped()
    }

    private static func awaitCancelled() async -> Int32 {
        let task = Task { await MainLoop.stopped() }
        await Task.yield()
        task.cancel()
        say("\(await task.value)")
        later { MainLoop.stop(code: 2) }
        return await MainLoop.stopped()
    }

    private static func awaitRun() async -> Int32 {
        await Task.yield()
        return MainLoop.run()
    }

    private static func signal() -> Int32 {
        MainLoop.onSignal(SIGTERM) { MainLoop.stop(code: 143) }.disposed(by: MainLoop.disposeBag)
        say("ready")
        return MainLoop.run()
    }

    private static func signalTwice() -> Int32 {
        MainLoop.onSignal(SIGHUP) { say("first") }.dispose()
        MainLoop.onSignal(SIGHUP) { say("second") }.disposed(by: MainLoop.disposeBag)
        MainLoop.onSignal(SIGHUP) {
            say("third")
            MainLoop.stop()
        }.disposed(by: MainLoop.disposeBag)
        say("ready")
        return MainLoop.run()
    }

    /// Others than the signal that is listened to keep their effect, also after that has come.
    private static func signalOther() -> Int32 {
        MainLoop.onSignal(SIGHUP) { kill(getpid(), SIGTERM) }.disposed(by: MainLoop.disposeBag)
        say("ready")
        return MainLoop.run(until: Date(timeIntervalSinceNow: 300))
    }

    private static func signalIgnored() -> Int32 {
        Foundation.signal(SIGHUP, SIG_IGN)
        MainLoop.onSignal(SIGHUP) {}.dispose()
        kill(getpid(), SIGHUP)
        return 0
    }

    private static func signalRestored() -> Int32 {
        MainLoop.onSignal(SIGHUP) {}.dispose()
        say("ready")
        return MainLoop.run(until: Date(timeIntervalSinceNow: 300))
    }

    private static func signals() -> Int32 {
        MainLoop.signals(SIGHUP, SIGTERM).bind { signal in
            say("\(signal) \(Thread.isMainThread)")
            MainLoop.stop(code: 128 + signal)
        }.disposed(by: MainLoop.disposeBag)
        say("ready")
        return MainLoop.run()
    }

    private static func bag() -> Int32 {
        Disposables.create { say("disposed \(Thread.isMainThread)") }.disposed(by: MainLoop.disposeBag)
        later { MainLoop.stop() }
        let code = MainLoop.run()
        say("returned")
        return code
    }

    private static func idle() -> Int32 {
        _ = MainScheduler.instance.schedule(after: .seconds(3_600)) {}
        MainLoop.onSignal(SIGTERM) { MainLoop.stop() }.disposed(by: MainLoop.disposeBag)
        say("ready")
        return MainLoop.run()
    }

    private static func nested() -> Int32 {
        Disposables.create { say("disposed") }.disposed(by: MainLoop.disposeBag)
        DispatchQueue.main.async { MainLoop.run(until: Date(timeIntervalSinceNow: 0.05)) }
        return MainLoop.run()
    }

    private static func nestedInTimer() -> Int32 {
        Disposables.create { say("disposed") }.disposed(by: MainLoop.disposeBag)
        _ = Timer.scheduledTimer(withTimeInterval: 0.005, repeats: false) { _ in
            MainActor.assumeIsolated { _ = MainLoop.run(until: Date(timeIntervalSinceNow: 0.05)) }
        }
        return MainLoop.run()
    }

    private static func everythingRuns() -> Int32 {
        let left = BehaviorRelay(value: 5)
        let done: @Sendable (String) -> Void = { name in
            say(name)
            left.update { $0 -= 1 }
        }
        left.filter { $0 == 0 }.bind { _ in MainLoop.stop() }.disposed(by: MainLoop.disposeBag)
        DispatchQueue.main.async { done("queue") }
        Task { @MainActor in done("task") }
        _ = Timer.scheduledTimer(withTimeInterval: 0.005, repeats: false) { _ in done("timer") }
        _ = MainScheduler.instance.schedule(after: .milliseconds(5)) { done("delay") }
        later {
            _ = MainScheduler.asyncInstance.schedule { done("scheduler") }
        }
        return MainLoop.run()
    }

    private static func synchronous() -> Int32 {
        say("\(MainScheduler.instance.canRunSynchronously) \(MainScheduler.asyncInstance.canRunSynchronously)")
        later {
            say("\(MainScheduler.instance.canRunSynchronously)")
            DispatchQueue.main.async {
                say("\(MainScheduler.instance.canRunSynchronously)")
                MainLoop.stop()
            }
        }
        return MainLoop.run()
    }

    /// A binding that has something waiting does not let later events of the main loop overtake it; another binding is not held up.
    private static func bindInOrder() -> Int32 {
        let subject = PublishSubject<Int>()
        let other = PublishSubject<Int>()
        subject.bind { value in
            say("subject \(value)")
            if value == 2 { MainLoop.stop() }
        }.disposed(by: MainLoop.disposeBag)
        other.bind { say("other \($0)") }.disposed(by: MainLoop.disposeBag)
        let sent = DispatchSemaphore(value: 0)
        later {
            subject.onNext(1)
            sent.signal()
        }
        sent.wait()
        subject.onNext(2)
        other.onNext(3)
        return MainLoop.run()
    }
}
