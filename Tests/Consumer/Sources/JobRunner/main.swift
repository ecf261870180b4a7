import Streams

// A service's skeleton without a network: so many jobs come at once, run two at a time, and the program ends when all are done.
let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 10
let jobs = PublishSubject<Int>()
let finished = MainLoop.disposeBag

jobs.flatMap(maxConcurrent: 2) { job in
    Observable<Int>.timer(.milliseconds(10), scheduler: ConcurrentDispatchQueueScheduler(qos: .utility)).map { _ in job }
}
.scan((count: 0, sum: 0)) { total, job in (total.count + 1, total.sum + job) }
.takeLast(1)
.observe(on: MainScheduler.instance)
.subscribe(
    onNext: { print("\($0.count) jobs, sum \($0.sum)") },
    onCompleted: { MainLoop.stop() }
)
.disposed(by: finished)

printPair(LoggedJob(count), count)
for job in 0..<count { jobs.onNext(job) }
jobs.onCompleted()
MainLoop.run()
