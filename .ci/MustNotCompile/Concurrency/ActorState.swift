// The state of an actor is changed in a subscription.
// error: actor-isolated property 'count' can not be mutated from a Sendable closure
import Streams

private actor Counter {
    var count = 0

    func follow(_ numbers: Observable<Int>, _ bag: DisposeBag) {
        #if MISTAKE
            numbers.subscribe(onNext: { number in self.count += number }).disposed(by: bag)
        #else
            numbers.subscribe(isolatedTo: self) { counter, number in counter.count += number }.disposed(by: bag)
        #endif
    }
}
