// An object that is not Sendable is captured.
// error: capture of 'cache' with non-Sendable type 'Cache' in a '@Sendable' closure
import Streams

private final class Cache {
    var names: [String] = []
}

private func example(_ names: Observable<String>, _ cache: Cache, _ shared: BehaviorRelay<[String]>, _ bag: DisposeBag) {
    #if MISTAKE
        names.subscribe(onNext: { name in cache.names.append(name) }).disposed(by: bag)
    #else
        names.subscribe(onNext: { name in shared.update { names in names.append(name) } }).disposed(by: bag)
    #endif
}
