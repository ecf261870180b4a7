import Foundation
import StreamsSimulator
import StreamsTesting
import SystemSources
import Testing

/// The service on the page Simulation.
struct OrderBook: Sendable {
    let file: URL
    let disk: any Disk

    /// Emits the number of orders that were noted.
    func count() -> Observable<Int> {
        Observable.lines(of: file, on: disk).reduce(0) { count, _ in count + 1 }
            .catch { error in
                guard case SystemSourceError.notFound = error else { throw error }
                return .just(0)
            }
    }

    /// Completes when the order is on the disk.
    func note(_ order: String) -> Completable {
        disk.open(file).flatMapCompletable { file in
            file.append(Data("\(order)\n".utf8)).andThen(file.flush())
        }
    }
}

@Suite("The order book under simulation", .countsResources)
struct OrderBookTests {
    @Test func `Confirmed orders outlive a kill`() async throws {
        try await Simulation.explore(seeds: 0..<100) { world in
            let confirmed = world.stream("confirmed", of: Int.self)
            let known = world.stream("known", of: Int.self)
            world.process("shop") { environment in
                let book = OrderBook(file: URL(filePath: "/orders"), disk: environment.disk)
                let last = try await book.count().firstElement()
                known.emit(last)
                for number in (last + 1)... {
                    try await book.note("order \(number)").value
                    confirmed.emit(number)
                    try await Task.sleep(for: .seconds(5), clock: environment.clock)
                }
            }
            world.faults = .only(.kill, rate: .perMinute(2))
            let last = confirmed.asObservable().startWith(0)
            world.always("what is confirmed is known", known.asObservable().withLatestFrom(last) { $0 >= $1 })
            try await world.run(for: .seconds(300))
        }
    }
}
