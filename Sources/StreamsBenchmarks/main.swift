import Streams
import Synchronization
import Dispatch
import Glibc

@inline(never) func blackHole(_ x: Int) { }
final class Box: @unchecked Sendable { @exclusivity(unchecked) var n = 0; @exclusivity(unchecked) var f: (@Sendable (Int) -> Void)? }
func time(_ name: String, _ n: Int, _ body: (Int) -> Void) {
    var best = Double.infinity
    for _ in 0..<9 {
        let t = DispatchTime.now().uptimeNanoseconds
        body(n)
        best = min(best, Double(DispatchTime.now().uptimeNanoseconds - t) / Double(n))
    }
    print(name, best)
}
let box = Box()
let word = Atomic<Int>(0)
box.f = { box.n &+= $0 }
time("floor", CommandLine.arguments.count > 1 ? 1: 1_000_000) { n in
    for i in 0..<n {
        if word.compareExchange(expected: 0, desired: 1, ordering: .acquiring).exchanged {
            box.f?(i)
            _ = word.compareExchange(expected: 1, desired: 0, ordering: .releasing)
        }
    }
}
struct Quote: Sendable { var symbol: String; var a: Int; var b: Double; var c: Int }
if CommandLine.arguments.count > 1 { structCase(Int(CommandLine.arguments[1])!); exit(0) }
let s1 = PublishSubject<Int>()
_ = s1.subscribe(onNext: { box.n &+= $0 })
time("subject 1", 1_000_000) { n in for i in 0..<n { s1.onNext(i) } }
let s100 = PublishSubject<Int>()
for _ in 0..<100 { _ = s100.subscribe(onNext: { box.n &+= $0 }) }
time("subject 100 (each delivery x100)", 10_000) { n in for i in 0..<n { s100.onNext(i) } }
let sm = PublishSubject<Int>()
_ = sm.map { $0 &+ 1 }.subscribe(onNext: { box.n &+= $0 })
time("map", 1_000_000) { n in for i in 0..<n { sm.onNext(i) } }
let sm10 = PublishSubject<Int>()
_ = sm10.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.map { $0 &+ 1 }.subscribe(onNext: { box.n &+= $0 })
time("map x10", 1_000_000) { n in for i in 0..<n { sm10.onNext(i) } }

@inline(never) func structCase(_ count: Int) {
let sq = PublishSubject<Quote>()
_ = sq.map { q in var q = q; q.a &+= 1; return q }.filter { $0.a > 0 }.map { q in var q = q; q.b *= 2; return q }.map { q in var q = q; q.c &+= 1; return q }.subscribe(onNext: { box.n &+= $0.a })
let quote = Quote(symbol: "a long enough string for the heap \(CommandLine.arguments)", a: 1, b: 2, c: 3)
time("struct", count) { n in for _ in 0..<n { sq.onNext(quote) } }
}
structCase(1_000_000)
time("create", 1_000_000) { n in
    _ = Observable<Int>.create { o in for i in 0..<n { o.onNext(i) }; o.onCompleted(); return Disposables.create() }.map { $0 &+ 1 }.filter { $0 & 1 == 0 }.map { $0 &+ 1 }.subscribe(onNext: { box.n &+= $0 })
}
time("range", 1_000_000) { n in
    _ = Observable.range(start: 0, count: n).map { $0 &+ 1 }.filter { $0 & 1 == 0 }.scan(0) { $0 &+ $1 }.subscribe(onNext: { box.n &+= $0 })
}
let array = Array(0..<1_000_000)
time("array", 1_000_000) { n in
    _ = Observable.from(array).map { $0 &+ 1 }.subscribe(onNext: { box.n &+= $0 })
}
let sc = PublishSubject<Int>()
time("chain subscribe, event, dispose", 100_000) { n in
  for i in 0..<n {
    let d = sc.map { $0 &+ 1 }.filter { $0 > -1 }.map { $0 &+ 1 }.filter { $0 > -1 }.map { $0 &+ 1}.subscribe(onNext: { box.n &+= $0 })
    sc.onNext(i)
    d.dispose()
  }
}
