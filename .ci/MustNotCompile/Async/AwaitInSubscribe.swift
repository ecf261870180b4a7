// An observer awaits.
// error: invalid conversion from 'async' function of type '@Sendable (String) async -> ()' to synchronous function type '@Sendable (String) -> Void'
import Streams

private func save(_ name: String) async {}

private func example(_ names: Observable<String>, _ bag: DisposeBag) {
    #if MISTAKE
        names.subscribe(onNext: { name in await save(name) }).disposed(by: bag)
    #else
        names.mapAsync { name in await save(name) }.subscribe().disposed(by: bag)
    #endif
}
