import Foundation
import LoopbackServer
import NetNodes
import StreamsSimulator
import StreamsTesting
import Synchronization
import Testing

@Suite("Downloads in a simulation", .countsResources)
struct DownloadTests {
    private static let size = 60_000

    @Test func `What a download has finished is whole, whatever fails, and only a kill leaves something else in its folder`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let last = Atomic(0)
        let report = try await Simulation.explore(seeds: 0..<8) { world in
            let place = folder.appending(path: "\(last.add(1, ordering: .relaxed).newValue)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            let target = place.appending(path: "file")
            let server = world.server("server", routes: [.get("/file") { _ in .generated(bytes: Self.size) }])
            let finished = world.stream("finished", of: Bool.self)
            world.process("client") { environment in
                let download = URLChain(transport: environment.transport).timeout(.seconds(20))
                    .route(.get, server.baseURL.appending(path: "file")).download(to: target).stream()
                    .retry(.delay(.seconds(1), maxAttempts: .max), scheduler: environment.scheduler)
                let turns = Observable<Int>.interval(.seconds(3), scheduler: environment.scheduler)
                for try await case .finished(let url) in turns.flatMapFirst({ _ in download }).values {
                    finished.emit(try Data(contentsOf: url) == LoopbackServer.Response.generatedBytes(0..<Self.size))
                }
            }
            world.faults = .only(.reset, .hang, .lowBandwidth, .refuse, .partition, .kill, .serverErrors, rate: .perMinute(20))
            world.always("what is finished is whole", finished)
            world.eventually("one is finished", within: .seconds(600), finished)
            try await world.run(for: .seconds(300))
            world.faults = .none
            try await world.run(for: .seconds(300))
            let content = try Data(contentsOf: target)
            let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
            guard content == LoopbackServer.Response.generatedBytes(0..<Self.size) else { throw Wrong(found: "\(content.count) bytes") }
            guard names.allSatisfy({ $0 == "file" || $0.hasPrefix(".") }) else { throw Wrong(found: "\(names)") }
        }
        #expect((report.faults[.reset] ?? 0) > 0 && (report.faults[.kill] ?? 0) > 0)
        #expect(report.unchecked.isEmpty)
    }

    private struct Wrong: Error {
        let found: String
    }
}
