// flatMapLatest awaits.
// error: instance method 'flatMapLatest' requires that 'String' conform to 'ObservableConvertibleType'
import Streams

private func profile(of name: String) async -> String { name }

private func example(_ names: Observable<String>) {
    #if MISTAKE
        _ = names.flatMapLatest { name in await profile(of: name) }
    #else
        _ = names.flatMapLatest { name in Observable.fromAsync { await profile(of: name) } }
    #endif
}
