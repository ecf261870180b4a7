// Combine: Timer.publish
// error: 'publish(every:tolerance:on:in:)' is unavailable: use Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.instance)
import Foundation
import Streams

private func example() {
    #if MISTAKE
        _ = Timer.publish(every: 1, on: .main, in: .common)
    #else
        _ = Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.instance)
    #endif
}
