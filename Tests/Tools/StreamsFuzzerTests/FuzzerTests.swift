import OperatorCatalogue
import StreamsTesting
import Testing

@testable import StreamsFuzzer

@Suite("The fuzzer", .countsResources)
struct FuzzerTests {
    @Test func `A few thousand random pipelines match the reference, and leak nothing`() {
        let fuzzer = Fuzzer(depth: 6)
        for seed in 1...4_000 as ClosedRange<UInt64> {
            guard case .failed(let failure) = fuzzer.verdict(seed: seed) else { continue }
            Issue.record("\(Report(failure: Fuzzer.shrunk(failure, seed: seed), seed: seed, depth: 6).text)")
            return
        }
    }

    @Test func `Equal seeds generate equal cases, different seeds different ones`() {
        for seed in 1...50 as ClosedRange<UInt64> {
            #expect(Generator.makeCase(seed: seed, depth: 6) == Generator.makeCase(seed: seed, depth: 6))
            #expect(Generator.makeCase(seed: seed, depth: 6) != Generator.makeCase(seed: seed + 1, depth: 6))
        }
    }

    @Test func `Every operator of the catalogue is generated, and every number is in its range`() {
        var seen: Set<Int> = []
        func visit(_ pipeline: Pipeline) {
            seen.insert(pipeline.kind)
            for (number, range) in zip(pipeline.numbers, pipeline.fuzzOperator.ranges) where pipeline.kind != sourceKind {
                #expect(range.contains(number), "\(PipelineCode.expression(of: pipeline))")
            }
            for part in pipeline.upstreams + pipeline.body { visit(part) }
        }
        for seed in 1...20_000 as ClosedRange<UInt64> { visit(Generator.makeCase(seed: seed, depth: 6).pipeline) }
        #expect(fuzzOperators.indices.filter { !seen.contains($0) }.map { fuzzOperators[$0].template } == [])
    }

    @Test func `The code of a pipeline has no placeholder left`() {
        for seed in 1...500 as ClosedRange<UInt64> {
            let code = PipelineCode.expression(of: Generator.makeCase(seed: seed, depth: 6).pipeline)
            #expect(!code.contains("@") && !code.contains { $0 == "#" } && !code.contains("%0") && !code.contains("^"), "\(code)")
        }
    }
}

@Suite("The reference", .countsResources)
struct ReferenceTests {
    private func kind(_ template: String) throws -> Int {
        try #require(fuzzOperators.firstIndex { $0.template == template })
    }

    private func source(_ number: Int) -> Pipeline {
        Pipeline(sourceKind, numbers: [number])
    }

    private let cold = Case.Source(
        isHot: false,
        events: [.init(tick: 1, event: .next(1)), .init(tick: 3, event: .next(2)), .init(tick: 4, event: .completed)])

    @Test func `A cold source begins with its subscription, a hot one does not`() throws {
        var example = Case(sources: [cold], pipeline: source(0), subscribed: 2, disposed: 20)
        var expected = try Reference.expectation(of: example)
        #expect(expected.events.map(\.tick) == [3, 5, 6])
        #expect(expected.subscriptions == [[.init(subscribed: 2, ended: 6)]])
        example.sources[0].isHot = true
        expected = try Reference.expectation(of: example)
        #expect(expected.events.map(\.tick) == [3, 4])
        #expect(expected.subscriptions == [[.init(subscribed: 2, ended: 4)]])
    }

    @Test func `An early disposal disposes the source`() throws {
        let example = Case(sources: [cold], pipeline: source(0), subscribed: 0, disposed: 2)
        let expected = try Reference.expectation(of: example)
        #expect(expected.events == [.init(tick: 1, signal: .next(1))])
        #expect(expected.subscriptions == [[.init(subscribed: 0, ended: 2)]])
    }

    @Test func `Simultaneous events are delivered in the order of the subscriptions`() throws {
        let merge = Pipeline(try kind("Observable.merge(%0, %1)"), upstreams: [source(1), source(0)])
        var other = cold
        other.events[0].event = .next(9)
        let expected = try Reference.expectation(of: Case(sources: [cold, other], pipeline: merge, subscribed: 0, disposed: 20))
        #expect(expected.events.map(\.signal) == [.next(9), .next(1), .next(2), .next(2), .completed])
    }
}

@Suite("The order of simultaneous events")
struct MomentTests {
    private let begin = Moment.subscription(at: 3)

    @Test func `A cause comes before its effects, and the first effect before the second`() {
        #expect(begin < begin.then(0))
        #expect(begin.then(0) < begin.then(0).then(7))
        #expect(begin.then(0).then(7) < begin.then(1))
    }

    @Test func `Actions of one time run in the order in which they were scheduled`() {
        let (early, late) = (begin.then(0), begin.then(1))
        #expect(early.scheduling(at: 9) < late.scheduling(at: 9))
        #expect(late.scheduling(at: 8) < early.scheduling(at: 9))
        #expect(begin.then(5) < begin.then(0).scheduling(at: 3))
        let between = early.scheduling(at: 5)
        #expect(late.scheduling(at: 9) < between.scheduling(at: 9))
    }

    @Test func `Hot sources emit before anything else at the same time`() {
        #expect(Moment.hot(source: 0, index: 0, at: 3) < begin)
        #expect(begin < Moment.hot(source: 0, index: 1, at: 4))
        #expect(Moment.hot(source: 0, index: 1, at: 4) < begin.scheduling(at: 4))
    }
}
