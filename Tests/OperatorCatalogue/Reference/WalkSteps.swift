// The parts that operators share.
extension Walk.Input {
    /// The event that an upstream has sent.
    var signal: FuzzEvent? {
        switch self {
        case .next(let element, _): .next(element)
        case .error(let name, _): .error(name)
        case .completed: .completed
        case .timer: nil
        }
    }

    /// The tag of the stream or timer of the input.
    var tag: Int {
        switch self {
        case .next(_, let tag), .error(_, let tag), .completed(let tag), .timer(let tag): tag
        }
    }
}

extension Walk {
    /// Sends these elements, and completes.
    func sends(_ elements: Int...) {
        for element in elements { next(element) }
        completed()
    }

    func subscribeAll(_ count: Int) throws {
        for place in 0..<count { try subscribe(place) }
    }

    func pass(_ input: Input) {
        if case .next(let element, _) = input { next(element) } else { passEnd(input) }
    }

    func passEnd(_ input: Input) {
        switch input {
        case .error(let name, _): error(name)
        case .completed: completed()
        case .next, .timer: break
        }
    }
}

extension Walk {
    /// The operator suspends its source, because too many elements wait; the reference does not model that.
    struct Suspension: Error {}

    /// Throws if an operator with a limit of active streams suspends its source.
    func expectRoom(for waiting: [Int]) throws {
        guard waiting.count < 16 else { throw Suspension() }
    }
}
