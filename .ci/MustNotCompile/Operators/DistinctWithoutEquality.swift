// Elements without equality are compared.
// error: referencing instance method 'distinctUntilChanged()' on 'ObservableType' requires that 'Price' conform to 'Equatable'
import Streams

private struct Price {
    var amount: Int
}

private func example(_ prices: Observable<Price>) {
    #if MISTAKE
        _ = prices.distinctUntilChanged()
    #else
        _ = prices.distinctUntilChanged(\.amount)
    #endif
}
