// A method of an actor is called in a subscription.
// error: call to actor-isolated instance method 'add' in a synchronous nonisolated context
import Streams

private actor Counter {
    private var count = 0

    func add(_ number: Int) { count += number }
}

private func example(_ numbers: Observable<Int>, _ counter: Counter, _ bag: DisposeBag) {
    #if MISTAKE
        numbers.subscribe(with: counter, onNext: { counter, number in counter.add(number) }).disposed(by: bag)
    #else
        numbers.subscribe(isolatedTo: counter) { counter, number in counter.add(number) }.disposed(by: bag)
    #endif
}
