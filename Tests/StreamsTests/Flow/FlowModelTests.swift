import Foundation
import StreamsTesting
import Testing

@Suite("Random pipelines of slow consumers", .countsResources(patience: .seconds(20))) struct FlowModelTests {
    /// `STREAMS_FLOW_SECONDS=600` goes on for so long and prints each seed, `STREAMS_FLOW_SEED=17` begins with that pipeline.
    @Test func `Random pipelines with tasks and a slow consumer deliver what they deliver without suspension`() async {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["STREAMS_FLOW_SEED"].flatMap { UInt64($0) } ?? 1
        let end = environment["STREAMS_FLOW_SECONDS"].flatMap { Int($0) }.map { ContinuousClock.now + .seconds($0) }
        var (seed, elements) = (first, 0)
        while end.map({ ContinuousClock.now < $0 }) ?? (seed < first + 25) {
            if end != nil { print(FlowModel(seed: seed).title) }
            let (count, difference) = await FlowModel(seed: seed).check()
            elements += count
            if let difference { Issue.record("\(difference)") }
            seed += 1
        }
        #expect(elements > 0)
        if end != nil { print("the model of a slow consumer: seeds \(first) to \(seed - 1), \(elements) elements") }
    }
}
