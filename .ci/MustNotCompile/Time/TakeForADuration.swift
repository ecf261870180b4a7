// take is given a duration.
// error: missing argument label 'for:' in call
import Streams

private func example(_ numbers: Observable<Int>) {
    #if MISTAKE
        _ = numbers.take(.seconds(3), scheduler: MainScheduler.instance)
    #else
        _ = numbers.take(for: .seconds(3), scheduler: MainScheduler.instance)
    #endif
}
