// A subject without a current value is asked for it.
// error: 'value' is unavailable: any number of elements may follow: await firstElement(), or keep the latest in a BehaviorRelay
import Streams

private func example(_ numbers: PublishSubject<Int>, _ count: BehaviorSubject<Int>) {
    #if MISTAKE
        print(numbers.value)
    #else
        print(count.value)
    #endif
}
