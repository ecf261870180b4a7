// A first stream: the block of the README.
import Streams

let prices = PublishSubject<Double>()
let bag = DisposeBag()

prices
    .distinctUntilChanged()
    .scan((0.0, 0.0)) { last, price in (price, price - last.0) }
    .filter { _, change in abs(change) > 0.5 }
    .subscribe(onNext: { price, change in print("\(price) moved by \(change)") })
    .disposed(by: bag)

prices.onNext(100.0)
