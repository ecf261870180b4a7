/// Makes cases at random: the same seed makes the same case.
struct Generator {
    private var random: RandomNumbers
    private var sources: [Case.Source] = []
    private var room: Int

    /// A case of at most `depth` operators one above the other.
    static func makeCase(seed: UInt64, depth: Int) -> Case {
        var generator = Generator(random: RandomNumbers(seed: seed), room: 14)
        return generator.makeCase(depth: depth)
    }

    private init(random: RandomNumbers, room: Int) {
        self.random = random
        self.room = room
    }

    private mutating func makeCase(depth: Int) -> Case {
        let pipeline = makePipeline(depth: random.number(in: 1...max(1, depth)), inBody: false)
        let subscribed = random.once(in: 4) ? random.number(in: 0...9) : 0
        return Case(
            sources: sources, pipeline: pipeline, subscribed: subscribed,
            disposed: subscribed + (random.once(in: 5) ? random.number(in: 0...20) : 40),
            stopsAt: random.once(in: 6) ? random.number(in: 0...4) : nil)
    }

    private mutating func makePipeline(depth: Int, inBody: Bool) -> Pipeline {
        room -= 1
        guard depth > 0, room > 0 else { return makeLeaf(inBody: inBody) }
        let kind = random.pick(operatorKinds)
        let (numbers, entry) = (makeNumbers(kind), fuzzOperators[kind])
        return Pipeline(
            kind, numbers: numbers, upstreams: (0..<entry.upstreams).map { _ in makePipeline(depth: depth - 1, inBody: inBody) },
            body: entry.hasBody ? [makePipeline(depth: depth - random.number(in: 1...2), inBody: true)] : [])
    }

    private mutating func makeNumbers(_ kind: Int) -> [Int] {
        fuzzOperators[kind].ranges.map { random.number(in: $0) }
    }

    /// A source, as a rule; one that is there already, now and then, so that several places listen to it.
    private mutating func makeLeaf(inBody: Bool) -> Pipeline {
        if inBody, random.once(in: 3) { return Pipeline(elementKind) }
        if random.once(in: 4) {
            let kind = random.pick(leafKinds)
            return Pipeline(kind, numbers: makeNumbers(kind))
        }
        if !sources.isEmpty, random.once(in: 4) { return Pipeline(sourceKind, numbers: [random.number(in: 0...sources.count - 1)]) }
        sources.append(makeSource())
        return Pipeline(sourceKind, numbers: [sources.count - 1])
    }

    private mutating func makeSource() -> Case.Source {
        var events: [Case.Moving] = []
        var tick = 0
        for _ in 0..<random.number(in: 0...10) {
            tick += random.number(in: 0...3)
            events.append(Case.Moving(tick: tick, event: .next(random.number(in: 0...9))))
        }
        tick += random.number(in: 0...4)
        switch random.number(in: 0...5) {
        case 0: break
        case 1, 2: events.append(Case.Moving(tick: tick, event: .error("failed")))
        default: events.append(Case.Moving(tick: tick, event: .completed))
        }
        // A source that emits after its terminal event, which must be ignored.
        if random.once(in: 8) { events.append(Case.Moving(tick: tick + 1, event: random.once(in: 2) ? .next(9) : .completed)) }
        return Case.Source(isHot: random.once(in: 2), events: events)
    }
}

/// The operators that make a stream of nothing, and those that change one.
private let leafKinds = fuzzOperators.indices.filter { ![sourceKind, elementKind].contains($0) && fuzzOperators[$0].upstreams == 0 }
private let operatorKinds = fuzzOperators.indices.filter { fuzzOperators[$0].upstreams > 0 }
