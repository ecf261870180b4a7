import Schedulers

/// The forms of `combineLatest` and `zip` for any number of streams, which the traits emit as tuples. Not specialized for the caller: streams
/// have a form for each number.
extension Observable {
    /// Emits the latest elements of the streams as a tuple, like `combineLatest`.
    static func combiningLatest<each Source: Sendable>(_ sources: repeat Observable<each Source>) -> Observable<Element>
    where Element == (repeat each Source) {
        Observable { downstream, lifetime in
            let state = SlotState(count: packCount(repeat each sources))
            let slots = (repeat LatestSlot<each Source>(state))
            let combination = Combination(downstream, lifetime, state, delayErrors: false) { (repeat (each slots).latest) }
            repeat combination.subscribe(to: each sources, each slots)
        }
    }

    /// Emits the elements of the streams as tuples of one of each, like `zip`.
    static func zipping<each Source: Sendable>(_ sources: repeat Observable<each Source>) -> Observable<Element>
    where Element == (repeat each Source) {
        Observable { downstream, lifetime in
            let state = SlotState(count: packCount(repeat each sources))
            let slots = (repeat ZipSlot<each Source>(state))
            let combination = Combination(downstream, lifetime, state, delayErrors: false) { (repeat (each slots).take()) }
            repeat combination.subscribe(to: each sources, each slots)
        }
    }

    private static func packCount<each Source>(_ sources: repeat each Source) -> Int {
        var count = 0
        for _ in repeat each sources { count += 1 }
        return count
    }
}
