// Optionals are bound to an observer of values.
// error: 'bind(to:)' is unavailable: the observer takes elements of another type: map this stream to that type first
import Streams

private func example(_ numbers: Observable<Int?>, _ latest: BehaviorRelay<Int>, _ bag: DisposeBag) {
    #if MISTAKE
        numbers.bind(to: latest).disposed(by: bag)
    #else
        numbers.replaceNil(with: 0).bind(to: latest).disposed(by: bag)
    #endif
}
