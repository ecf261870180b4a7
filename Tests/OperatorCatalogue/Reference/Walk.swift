/// Follows one operator through time in the reference: it takes the inputs of its upstreams and timers in the order of the moments, and
/// describes the behavior of the operator.
public final class Walk {
    /// An input of the operator. A stream is identified by the tag under which it was subscribed to, a timer by its own tag.
    enum Input {
        case next(Int, from: Int)
        case error(String, from: Int)
        case completed(from: Int)
        case timer(Int)
    }

    private struct Upstream {
        let tag: Int
        var trace: Trace
        var position = 0
    }

    /// A stream: returns its behavior from the moment of a subscription on.
    public typealias Stream = (Moment) throws -> Trace

    /// The parts of which a walk is made: the operator's place in a pipeline.
    public struct Place {
        let numbers: [Int]
        let element: Int
        let streams: [Stream]
        let body: (Int) -> Stream
        let horizon: Int
        let spend: () throws -> Void

        /// Creates a place. `numbers` are those of the operator, and `element` is the element for whose body the operator is made. Nothing
        /// is computed beyond `horizon`. `spend` is called at each step, and throws if there are too many.
        public init(
            numbers: [Int], element: Int, streams: [Stream], body: @escaping (Int) -> Stream, horizon: Int,
            spend: @escaping () throws -> Void
        ) {
            (self.numbers, self.element, self.streams, self.body) = (numbers, element, streams, body)
            (self.horizon, self.spend) = (horizon, spend)
        }
    }

    private let place: Place
    private var upstreams: [Upstream] = []
    private var timers: [(moment: Moment, tag: Int)] = []
    /// The due times of timers that may be started anew while they are pending.
    private var dueTimes: [Int: Int] = [:]
    private var result = Trace()
    private var current: Moment
    private var step = 0
    private var end: Moment?

    public init(_ place: Place, at subscribed: Moment) {
        self.place = place
        current = subscribed
    }

    /// The numbers of the operator in its pipeline, and the element for whose body it is made.
    var numbers: [Int] { place.numbers }
    var number: Int { numbers[0] }
    var element: Int { place.element }

    /// The tick of the input that is being handled.
    var now: Int { current.time }

    var isOver: Bool { end != nil }

    /// Returns the moment of the next call.
    private func nextMoment() -> Moment {
        defer { step += 1 }
        return current.then(step)
    }
}

// The actions of an operator.
extension Walk {
    func next(_ element: Int) {
        send(.next(element))
    }

    func error(_ name: String) {
        send(.error(name))
    }

    func completed() {
        send(.completed)
    }

    func send(_ signal: FuzzEvent) {
        guard end == nil else { return }
        let moment = nextMoment()
        result.events.append((moment, signal))
        if signal.isStop { end = moment }
    }

    /// Calls the closure of a `do`.
    func note(_ signal: FuzzEvent) {
        result.notes.append((nextMoment(), signal))
    }

    /// Subscribes to an upstream, known by its place or by another tag.
    func subscribe(_ place: Int = 0, as tag: Int? = nil) throws {
        guard end == nil else { return }
        upstreams.append(Upstream(tag: tag ?? place, trace: try self.place.streams[place](nextMoment())))
    }

    /// Subscribes to the stream that the body makes for an element.
    func subscribeBody(_ element: Int, as tag: Int) throws {
        guard end == nil else { return }
        upstreams.append(Upstream(tag: tag, trace: try place.body(element)(nextMoment())))
    }

    /// Disposes the stream that was subscribed to under `tag`.
    func dispose(_ tag: Int) {
        for index in upstreams.indices where upstreams[index].tag == tag {
            result.takeOver(upstreams[index].trace.cut(at: current))
        }
        upstreams.removeAll { $0.tag == tag }
    }

    /// Starts a timer that runs out in `delay` ticks.
    func timer(_ tag: Int, after delay: Int) {
        guard now + delay <= place.horizon else { return }
        timers.append((nextMoment().scheduling(at: now + delay), tag))
    }

    /// Starts a timer that runs out in `delay` ticks, and not earlier. A pending timer computes the remaining time when it runs out.
    func restart(_ tag: Int, after delay: Int) {
        dueTimes[tag] = now + delay
        if !timers.contains(where: { $0.tag == tag }) { timer(tag, after: delay) }
    }

    /// Continues after everything that the calls so far have caused.
    func turn(_ tag: Int) {
        timers.append((nextMoment(), tag))
    }

    func cancel(_ tag: Int) {
        timers.removeAll { $0.tag == tag }
    }
}

// The passage of time.
extension Walk {
    /// Hands over one input after the other, until the operator has terminated or no input is left.
    func run(_ react: (Input) throws -> Void) throws {
        while end == nil, let (moment, input) = takeEarliest() {
            try place.spend()
            current = moment
            step = 0
            if case .timer(let tag) = input, let due = dueTimes[tag], due > now { timer(tag, after: due - now) } else { try react(input) }
        }
    }

    /// Hands over inputs like `run`, for an operator with one upstream that forwards its end.
    func each(_ react: (Int) throws -> Void) throws {
        try each(react) { self.completed() }
    }

    /// Hands over inputs like `each`, with another action at the completion.
    func each(_ react: (Int) throws -> Void, completed: () throws -> Void) throws {
        try subscribe()
        try run { input in
            switch input {
            case .next(let element, _): try react(element)
            case .error(let name, _): error(name)
            case .completed: try completed()
            case .timer: break
            }
        }
    }

    public func finished() -> Trace {
        for upstream in upstreams {
            result.takeOver(upstream.trace)
        }
        if let end { result.end(at: end) }
        return result
    }

    private func takeEarliest() -> (Moment, Input)? {
        var earliest: (moment: Moment, index: Int)?
        for (index, upstream) in upstreams.enumerated() where upstream.position < upstream.trace.events.count {
            let moment = upstream.trace.events[upstream.position].moment
            if earliest.map({ moment < $0.moment }) ?? true { earliest = (moment, index) }
        }
        if let timer = timers.indices.min(by: { timers[$0].moment < timers[$1].moment }),
            earliest.map({ timers[timer].moment < $0.moment }) ?? true
        {
            let (moment, tag) = timers.remove(at: timer)
            return (moment, .timer(tag))
        }
        guard let earliest else { return nil }
        return (earliest.moment, takeEvent(of: earliest.index))
    }

    private func takeEvent(of index: Int) -> Input {
        let tag = upstreams[index].tag
        let signal = upstreams[index].trace.events[upstreams[index].position].signal
        upstreams[index].position += 1
        switch signal {
        case .next(let element): return .next(element, from: tag)
        case .error(let name): return .error(name, from: tag)
        case .completed: return .completed(from: tag)
        }
    }
}
