import Streams

/// A job as generic code of a user sees it.
protocol Job: Sendable {
    init(_ number: Int)
    var number: Int { get }
}

final class LoggedJob: Job {
    let number: Int
    init(_ number: Int) { self.number = number }
}

extension Int: Job {
    var number: Int { self }
}

/// Prints the number of a pair of jobs when its observer receives it.
///
/// In a release build of a user's code the optimizer of Swift 6.3.1 removed the pair that an observable passes to this observer.
@inline(never)
func printPair<First: Job, Second: Job>(_ first: First, _ second: Second) {
    @Sendable func number(_ pair: (First, Second)) -> Int {
        let check = { precondition(pair.0.number == pair.1.number) }
        check()
        return pair.0.number
    }
    _ = Observable<(First, Second)>.of((first, second)).subscribe { (event: Event<(First, Second)>) in
        switch event {
        case .next(let pair): print("pair", number(pair))
        case .error, .completed: print("end of pairs")
        }
    }
}
