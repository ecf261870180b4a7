import Streams
import StreamsInspector

/// Prints the chains of this process that its user sees, with the lines that built them.
public func printChains() {
    for chain in Inspector.chains() {
        print(chain.operatorName, chain.place.map { "\($0)" } ?? "-")
    }
}

/// A stream that a library of the user builds.
public func doubled(_ numbers: PublishSubject<Int>) -> Observable<Int> {
    numbers.map { $0 * 2 }
}
