// What operators have in common.
extension Walk.Input {
    /// What an upstream has sent.
    var signal: FuzzEvent? {
        switch self {
        case .next(let element, _): .next(element)
        case .error(let name, _): .error(name)
        case .completed: .completed
        case .timer: nil
        }
    }

    /// Where it comes from.
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
    /// So many elements wait that the operator suspends its source, which the reference does not model.
    struct Suspension: Error {}

    /// Throws if an operator with a limit of active streams suspends its source.
    func expectRoom(for waiting: [Int]) throws {
        guard waiting.count < 16 else { throw Suspension() }
    }
}
