import Streams

func evenNumbers(_ numbers: PublishSubject<Int>) -> Observable<Int> {
    numbers.filter { $0.isMultiple(of: 2) }
}
