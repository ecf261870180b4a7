/// Makes a failing case smaller for as long as it fails: fewer operators, fewer events, smaller numbers.
enum Shrinker {
    static func shrunk(_ failure: Failure, by failureOf: (Case) -> Failure?) -> Failure {
        var smallest = failure
        var attempts = 20_000
        while attempts > 0 {
            let candidates = simpler(smallest.example)
            var found: Failure?
            for candidate in candidates where found == nil && attempts > 0 {
                attempts -= 1
                found = failureOf(candidate)
            }
            guard let found else { break }
            smallest = found
        }
        return smallest
    }

    /// The cases that are one step simpler, the biggest steps first.
    private static func simpler(_ example: Case) -> [Case] {
        let pipelines = simpler(example.pipeline).map { pipeline in
            var copy = example
            copy.pipeline = pipeline
            return copy
        }
        return pipelines + withFewerEvents(example) + withSimplerTimes(example)
    }

    private static func simpler(_ pipeline: Pipeline) -> [Pipeline] {
        var simpler = (pipeline.upstreams + pipeline.body)
        if pipeline.size > 1 { simpler += [Pipeline(elementKind), Pipeline(emptyKind), Pipeline(neverKind)] }
        for place in pipeline.upstreams.indices {
            simpler += replacing(pipeline, \.upstreams[place])
        }
        for place in pipeline.body.indices {
            simpler += replacing(pipeline, \.body[place])
        }
        guard pipeline.kind != sourceKind else { return simpler }
        for (place, range) in zip(pipeline.numbers.indices, pipeline.fuzzOperator.ranges) {
            for number in smaller(pipeline.numbers[place], least: range.lowerBound) {
                var copy = pipeline
                copy.numbers[place] = number
                simpler.append(copy)
            }
        }
        return simpler
    }

    private static func replacing(_ pipeline: Pipeline, _ place: WritableKeyPath<Pipeline, Pipeline>) -> [Pipeline] {
        simpler(pipeline[keyPath: place]).map { replacement in
            var copy = pipeline
            copy[keyPath: place] = replacement
            return copy
        }
    }

    private static func withFewerEvents(_ example: Case) -> [Case] {
        example.pipeline.sources.sorted().flatMap { source in
            example.sources[source].events.indices.map { index in
                var copy = example
                copy.sources[source].events.remove(at: index)
                return copy
            }
        }
    }

    private static func withSimplerTimes(_ example: Case) -> [Case] {
        var simpler: [Case] = []
        for source in example.pipeline.sources.sorted() {
            if example.sources[source].isHot { simpler.append(changing(example) { $0.sources[source].isHot = false }) }
            for (index, entry) in example.sources[source].events.enumerated() {
                let least = index == 0 ? 0 : example.sources[source].events[index - 1].tick
                simpler += smaller(entry.tick, least: least).map { tick in
                    changing(example) { $0.sources[source].events[index].tick = tick }
                }
                guard case .next(let element) = entry.event else { continue }
                simpler += smaller(element, least: 0).map { element in
                    changing(example) { $0.sources[source].events[index].event = .next(element) }
                }
            }
        }
        if example.stopsAt != nil { simpler.append(changing(example) { $0.stopsAt = nil }) }
        simpler += smaller(example.subscribed, least: 0).map { tick in changing(example) { $0.subscribed = tick } }
        simpler += smaller(example.disposed, least: example.subscribed).map { tick in changing(example) { $0.disposed = tick } }
        return simpler
    }

    private static func changing(_ example: Case, _ change: (inout Case) -> Void) -> Case {
        var copy = example
        change(&copy)
        return copy
    }

    private static func smaller(_ number: Int, least: Int) -> [Int] {
        guard number > least else { return [] }
        return Set([least, (number + least) / 2, number - 1]).sorted()
    }
}
