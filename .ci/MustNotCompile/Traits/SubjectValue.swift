// A subject without a current value is asked for it.
// error: value of type 'PublishSubject<Int>' has no member 'value'
import Streams

private func example(_ numbers: PublishSubject<Int>, _ count: BehaviorSubject<Int>) {
    #if MISTAKE
        print(numbers.value)
    #else
        print(count.value)
    #endif
}
