// A stream that may fail is iterated over without try.
// error: call can throw, but the error is not handled
import Streams

private func example(_ numbers: Observable<Int>) async {
    #if MISTAKE
        for await number in numbers.values { print(number) }
    #else
        for await number in numbers.replaceError(with: 0).values { print(number) }
    #endif
}
