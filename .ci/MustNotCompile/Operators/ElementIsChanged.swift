// An element is changed in place.
// error: left side of mutating operator isn't mutable: 'price' is a 'let' constant
import Streams

private struct Price {
    var amount: Int
}

private func example(_ prices: Observable<Price>) {
    #if MISTAKE
        _ = prices.map { price in
            price.amount += 1  // <-
            return price
        }
    #else
        _ = prices.map { price in
            var price = price
            price.amount += 1
            return price
        }
    #endif
}
