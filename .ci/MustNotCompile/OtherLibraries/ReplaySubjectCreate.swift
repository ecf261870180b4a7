// RxSwift: ReplaySubject.create(bufferSize:)
// error: 'create(bufferSize:)' has been renamed to 'init(bufferSize:)'
import Streams

private func example() {
    #if MISTAKE
        _ = ReplaySubject<Int>.create(bufferSize: 3)
    #else
        _ = ReplaySubject<Int>(bufferSize: 3)
    #endif
}
