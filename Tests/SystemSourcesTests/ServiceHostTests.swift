import Foundation
import LoopbackServer
import Observation
import StreamsTesting
import SystemSources
import TestSupport
import Testing

@Suite("The environment of a service", .countsResources, .blocksThread)
struct ServiceHostTests {
    private let scheduler = VirtualTimeScheduler()
    private let stops = PublishSubject<Int32>()
    private let reloads = PublishSubject<Int32>()

    private var host: ServiceHost {
        ServiceHost(
            stopLimit: .seconds(10), stopSignals: stops.asObservable(), reloadSignals: reloads.asObservable(), scheduler: scheduler)
    }

    private func outcomes(_ work: @escaping @Sendable (ServiceHost.Environment) throws -> Observable<Int>) -> Arrivals<String> {
        Arrivals(host.run(work).asObservable().map { "\($0) \($0.exitCode)" })
    }

    /// The form of a service on the page, with a port that it needs first.
    private static func serve(on port: Int) async {
        do {
            let outcome = try await ServiceHost().run { environment in
                let server = LoopbackServer(port: port)
                try server.start()
                return Observable<Int>.never().take(until: environment.stopRequests)
            }.value
            if case .failed(let error) = outcome { throw error }
            exit(outcome.exitCode)
        } catch {
            FileHandle.standardError.write(Data("\(error.localizedDescription)\n".utf8))
            exit(1)
        }
    }

    @Test(.startsChild) func `A port that is in use ends a service with a sentence and exit code 1`() async {
        let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
            let other = LoopbackServer()
            try other.start()
            await Self.serve(on: other.port)
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.hasPrefix("Port ") && errors.hasSuffix(" of 127.0.0.1 is in use by another program.\n"))
    }

    @Test func `Work that completes after the signal, within the limit, was stopped`() {
        let outcome = outcomes { [scheduler] environment in
            environment.stopRequests.flatMap { _ in Observable<Int>.timer(.seconds(9), scheduler: scheduler) }
        }
        stops.onNext(SIGTERM)
        scheduler.advance(by: .seconds(9))
        #expect(outcome.next() == .next("stopped(signal: 15) 0"))
        #expect(outcome.next() == .completed)
        #expect(scheduler.isIdle)
    }

    @Test func `Work that goes on is disposed at the limit`() {
        let outcome = outcomes { _ in .never() }
        stops.onNext(SIGTERM)
        scheduler.advance(by: .seconds(9))
        #expect(scheduler.isIdle == false)
        scheduler.advance(by: .seconds(1))
        #expect(outcome.next() == .next("stopLimitExceeded(signal: 15) 143"))
    }

    @Test func `The second signal ends it at once`() {
        let outcome = outcomes { _ in .never() }
        stops.onNext(SIGTERM)
        stops.onNext(SIGINT)
        #expect(outcome.next() == .next("interrupted(signal: 2) 130"))
        #expect(scheduler.isIdle)
    }

    @Test func `Work that ends by itself needs no signal, and work that fails says why`() {
        #expect(outcomes { _ in .just(1) }.next() == .next("completed 0"))
        #expect(outcomes { _ in .error(StreamError.noElements) }.next() == .next("failed(Streams.StreamError.noElements) 1"))
        #expect(outcomes { _ in throw StreamError.noElements }.next() == .next("failed(Streams.StreamError.noElements) 1"))
    }

    @Test func `A request to stop reaches those who subscribe later, and reloads all who subscribe`() {
        let seen = Seen()
        let outcome = outcomes { environment in
            let later = environment.reloads.take(1).flatMap { _ in environment.stopRequests }.map { Int($0) }
            return .merge(environment.reloads.map { -1 }.do(onNext: { _ in seen.add() }), later).take(while: { $0 < 0 })
        }
        reloads.onNext(SIGHUP)
        reloads.onNext(SIGHUP)
        stops.onNext(SIGTERM)
        #expect(outcome.next() == .next("stopped(signal: 15) 0"))
        #expect(seen.count == 2)
    }

    private final class Seen: Sendable {
        private let state = Lock(0)
        var count: Int { state.withLock { $0 } }
        func add() { state.withLock { $0 += 1 } }
    }

    @Test func `Disposing the run disposes the work and the signals`() {
        let (work, signals) = (BooleanDisposable(), BooleanDisposable())
        let host = ServiceHost(stopSignals: .create { _ in signals }, reloadSignals: .never(), scheduler: scheduler)
        let run = host.run { _ in Observable<Int>.create { _ in work } }.subscribe()
        #expect(!work.isDisposed && !signals.isDisposed)
        run.dispose()
        #expect(work.isDisposed && signals.isDisposed)
    }

    @Test(.startsChild) func `Real signals reach every subscriber, and the previous action comes back`() async {
        await #expect(processExitsWith: .success) {
            let first = Arrivals(MainLoop.signals(SIGUSR1))
            let second = Arrivals(MainLoop.signals(SIGUSR1, SIGUSR2))
            let outcome = Arrivals(ServiceHost().run { $0.stopRequests }.asObservable().map(\.exitCode))
            kill(getpid(), SIGUSR1)
            #expect(await first.nextElsewhere() == .next(SIGUSR1))
            #expect(await second.nextElsewhere() == .next(SIGUSR1))
            kill(getpid(), SIGTERM)
            #expect(await outcome.nextElsewhere() == .next(0))
        }
    }
}

extension Arrivals {
    /// Waits on another thread, so that the main queue can run meanwhile.
    func nextElsewhere() async -> Event<Element>? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.next()) }
        }
    }
}

@Suite("Notifications and observable models", .countsResources, .blocksThread)
struct NotificationTests {
    private static let changed = Notification.Name("changed")

    @Test func `Notifications of the name and the object arrive as what was taken from them`() {
        let center = NotificationCenter()
        let object = Model()
        let titles = Arrivals(center.notifications(named: Self.changed, object: object) { $0.userInfo?["title"] as? String })
        center.post(name: Self.changed, object: object, userInfo: ["title": "a"])
        center.post(name: Self.changed, object: object)
        center.post(name: Self.changed, object: Model(), userInfo: ["title": "of another"])
        center.post(name: Notification.Name("other"), object: object, userInfo: ["title": "other"])
        center.post(name: Self.changed, object: object, userInfo: ["title": "b"])
        #expect(titles.elements(2) == ["a", "b"])
        titles.dispose()
        center.post(name: Self.changed, object: object, userInfo: ["title": "late"])
    }

    @Test func `An error of the closure fails the stream`() {
        let center = NotificationCenter()
        let source: Observable<Int> = center.notifications(named: Self.changed) { _ in throw StreamError.noElements }
        let arrivals = Arrivals(source)
        center.post(name: Self.changed, object: nil)
        #expect(arrivals.next()?.error as? StreamError == .noElements)
    }

    private final class Model: Sendable {}

    @MainActor @Observable
    final class Screen {
        var title = ""
        var copy = ""
    }

    @Test
    @MainActor
    func `A model is a source and a sink`() async throws {
        let screen = Screen()
        let titles = Observable.observe { screen.title }
        let binding = titles.bind(with: screen) { screen, title in screen.copy = title }
        let copies = Observable.observe { screen.copy }.filter { $0 == "new" }
        screen.title = "new"
        #expect(try await copies.firstElement() == "new")
        binding.dispose()
    }
}
