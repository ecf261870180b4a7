import InspectedForms
import Streams

// Code at the top level, before and after it awaits something.
let numbers = PublishSubject<Int>()
let before = numbers.map { $0 + 1 }.subscribe { _ in }
for try await _ in Observable<Int>.timer(.milliseconds(1), scheduler: MainScheduler.instance).values {}
let after = numbers.filter { $0 > 0 }.subscribe { _ in }
let values = AsyncStream(Int.self) { continuation in
    continuation.yield(1)
    continuation.finish()
}
for await value in values { _ = numbers.skip(value).subscribe { _ in } }
printChains()
