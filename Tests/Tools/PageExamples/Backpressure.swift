// The blocks of `Docs/Backpressure.md`, with what they take for granted.
import Foundation
import Streams
import SystemSources

struct SlowWriter: Sendable {
    func write(_ line: String, then: @escaping @Sendable () -> Void) { then() }
}

struct Row: Sendable {}

func backpressureInALoop(_ log: URL, _ store: @escaping @Sendable (String) async throws -> Int) async throws -> Int {
    var count = 0
    for try await line in Observable.lines(of: log).mapAsync(store).values { count += line }
    return count
}

func backpressureInASource(_ cursor: AsyncThrowingStream<Row, any Error>) -> Observable<Row> {
    let rows = Observable<Row>.create { send in
        for try await row in cursor { try await send(row) }
    }
    return rows
}

func backpressureByHand(_ log: URL, _ writer: SlowWriter, _ bag: DisposeBag) {
    let suspension = Suspension()
    Observable.lines(of: log).suspended(by: suspension)
        .subscribe(onNext: { line in
            suspension.suspend()
            writer.write(line) { suspension.resume() }
        })
        .disposed(by: bag)
}
