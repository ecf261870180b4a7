import Foundation
import StreamsTesting

extension Picture {
    static let errorHandling: [Picture] = [
        Picture("catch", in: "ErrorHandling/Catch", "--1--#", gives: "--1--(2|)", heard: "^----!") { up in
            up.numbers.catch { _ in .just(2) }
        },
        Picture("catchAndReturn", in: "ErrorHandling/Catch", "--1--#", gives: "--1--(0|)", heard: "^----!") { up in
            up.numbers.catchAndReturn(0)
        },
        Picture("catchAndComplete", in: "ErrorHandling/Catch", "--1--#", gives: "--1--|", heard: "^----!") { up in
            up.numbers.catchAndComplete()
        },
        Picture("mapError", in: "ErrorHandling/Catch", "--1--#", gives: "--1--#", failing: TestError("other"), heard: "^----!") { up in
            up.numbers.mapError { _ in TestError("other") }
        },
        Picture(
            "catch(sequence:)", in: "ErrorHandling/Catch", "--1--#", "---2---3--|", gives: "--1----3--|", heard: "^----!", "-----^----!"
        ) { up in
            Observable.catch(sequence: [up.letters, up.others])
        },
        Picture(
            "convertToResult", in: "ErrorHandling/ConvertToResult", "--1--#", gives: "--a--(b|)",
            where: ["a": "success(1)", "b": "failure(failed)"], heard: "^----!"
        ) { up in
            up.numbers.convertToResult().asObservable().map { result in
                switch result {
                case .success(let number): "success(\(number))"
                case .failure(let error): "failure(\(error))"
                }
            }
        },
        Picture("catch(as:)", in: "ErrorHandling/TypedErrors", "--1--#", gives: "--1--(2|)", heard: "^----!") { up in
            up.numbers.catch(as: TestError.self) { _ in .just(2) }
        },
        Picture(
            "mapError(as:)", in: "ErrorHandling/TypedErrors", "--1--#", gives: "--1--#", failing: TypedFailure(error: TestError.failed),
            heard: "^----!"
        ) { up in
            up.numbers.mapError(as: TypedFailure.self) { TypedFailure(error: $0) }
        },
        Picture(
            "convertToLoadingState", in: "ErrorHandling/ConvertToResult", "--1--#", gives: "a-b--(c|)",
            where: ["a": "loading", "b": "loaded(1)", "c": "failed(failed)"],
            heard: "^----!"
        ) { up in
            up.numbers.convertToLoadingState(startingWithLoading: true).asObservable().map { state in
                switch state {
                case .failed(let error): "failed(\(error))"
                default: "\(state)"
                }
            }
        },
        Picture("retry", in: "ErrorHandling/Retry", cold: "--1--#", gives: "--1----1--#", heard: "^----! -----^----!") { up in
            up.letters.retry(2)
        },
        Picture("retry by a policy", in: "ErrorHandling/RetryPolicy", cold: "--1#", gives: "--1----1#", heard: "^--! -----^--!") { up in
            up.letters.retry(.delay(.seconds(2), maxAttempts: 2), scheduler: up.scheduler)
        },
        Picture("retry(when:)", in: "ErrorHandling/RetryWhen", cold: "-1#", gives: "-1---(1|)", heard: "^-! ----^!") { up in
            up.letters.retry(when: { errors in errors.delay(.seconds(2), scheduler: up.scheduler) }).take(2)
        },
    ]
}
