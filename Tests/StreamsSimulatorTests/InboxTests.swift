import Foundation
import StreamsSimulator
import StreamsTesting
import SystemSources
import Testing

@testable import InboxService

/// A folder of a simulation, with a program that takes its time, may fail, and removes the file when it has succeeded.
///
/// `@unchecked Sendable`: used on the thread of a simulation only.
private final class Folder: @unchecked Sendable {
    private let changed = PublishSubject<DirectoryChange>()
    private(set) var names: [String] = []

    func add(_ name: String) {
        names.append(name)
        changed.onNext(.closed(name))
    }

    func remove(_ name: String) {
        names.removeAll { $0 == name }
        changed.onNext(.removed(name))
    }

    var changes: Observable<DirectoryChange> {
        .deferred { [self] in Observable.merge(Observable.from(names.map { .existing($0) }), changed.asObservable()) }
    }
}

@Suite("The inbox service under simulation", .countsResources)
struct InboxTests {
    private struct Crash: Error {}

    @Test func `Each file is handled, two at a time at most, none twice at once, and none is begun after the service was asked to stop`()
        async throws
    {
        let report = try await Simulation.explore(seeds: 0..<seedCount) { world in
            let folder = Folder()
            let (reloads, stops) = (PublishSubject<Int32>(), PublishSubject<Int32>())
            let running = world.stream("running", of: [String].self)
            let handled = world.stream("handled", of: String.self)
            let stopped = world.stream("stopped", of: Void.self)
            let added = world.stream("added", of: String.self)
            // The files of the programs that run, by the time when they began.
            let begun = BehaviorRelay<[Duration: String]>(value: [:])

            @Sendable func handle(_ name: String, _ environment: Simulation.Environment) -> Observable<String> {
                .deferred {
                    var random = environment.random
                    let time = Duration.seconds(Int.random(in: 1...20, using: &random))
                    let fails = Int.random(in: 0..<10, using: &random) == 0
                    let start = world.now
                    begun.update { $0[start] = name }
                    running.emit(begun.value.sorted { $0.key < $1.key }.map(\.value))
                    let end: @Sendable () -> Void = { begun.update { $0[start] = nil } }
                    return Observable<Int>.timer(time, scheduler: environment.scheduler)
                        .map { _ in
                            if fails { throw Crash() }
                            folder.remove(name)
                            handled.emit(name)
                            return "done"
                        }
                        .do(onError: { _ in end() }, onCompleted: end, onDispose: end)
                }
            }

            world.process(
                "inbox",
                running: { environment in
                    let inbox = Inbox(changes: { folder.changes }, handle: { name in handle(name, environment) })
                    return ServiceHost(
                        stopLimit: .seconds(60), stopSignals: stops.asObservable(), reloadSignals: reloads.asObservable(),
                        scheduler: environment.scheduler
                    ).run { inbox.reports($0) }
                })
            _ = world.scheduler.schedulePeriodic(after: .seconds(1), every: .seconds(20)) {
                let name = "file-\(Int(world.now / .seconds(1)))"
                folder.add(name)
                added.emit(name)
            }
            _ = world.scheduler.schedulePeriodic(after: .seconds(70), every: .seconds(70)) { reloads.onNext(1) }

            world.faults = .only(.kill, rate: .perMinute(1))
            world.always("two at a time at most", running.asObservable().map { $0.count <= 2 })
            world.always("none twice at once", running.asObservable().map { Set($0).count == $0.count })
            world.eventually("files are handled", within: .seconds(500), after: added, handled)
            world.never("one is begun after the stop", running.asObservable().skip(until: stopped.asObservable()))
            try await world.run(for: .seconds(600))
            // Until what was killed has been started again.
            world.faults = .none
            try await world.run(for: .seconds(200))
            stops.onNext(15)
            stopped.emit(())
            try await world.run(for: .seconds(60))
        }
        #expect(report.unchecked == ["one is begun after the stop"])
    }
}
