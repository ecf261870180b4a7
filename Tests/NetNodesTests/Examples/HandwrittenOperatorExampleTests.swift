import Foundation
import NetNodes
import StreamsTesting
import Testing

/// The operators of the listings as these write them, on `Observable`; in this file they stand before those of the library.
extension ResultExampleTests {
    @Suite("The operators written by hand")
    struct WrittenByHand {
        @Test func `decode(as:using:) finds snake_case keys`() throws {
            let backend = try Backend()
            let items: Observable<NetworkResponse> = backend.response(to: .allItems).map(\.data).decode()
            #expect(items.ended().elements.first?.items.map(\.shortName) == ["a", "b"])
            let plain = backend.response(to: .allItems).map(\.data).decode(as: NetworkResponse.self, using: JSONDecoder())
            #expect(plain.ended().error is DecodingError)
        }

        @Test func `validate and unwrap fail the stream`() {
            let numbers = Observable.of(1, 2, 3)
            let validated = numbers.validate { number in
                guard number < 2 else { throw NetworkResponse.Error.missingItems }
            }
            #expect(validated.ended().elements == [1])
            #expect(validated.ended().error as? NetworkResponse.Error == .missingItems)
            let unwrapped = Observable.of("1", "x").map { Int($0) }.unwrap(orThrow: NetworkResponse.Error.missingItems)
            #expect(unwrapped.ended().elements == [1])
            #expect(unwrapped.ended().error as? NetworkResponse.Error == .missingItems)
        }

        @Test func `Results and loading states have the error as an element`() {
            let failing = Observable.of(1).concat(Observable<Int>.fail(with: NetworkResponse.Error.missingItems))
            let results = failing.convertToResult().asObservable().ended()
            #expect(results.elements.map { try? $0.get() } == [1, nil])
            #expect(results.error == nil)
            let states = failing.convertToLoadingState().asObservable().ended()
            #expect(states.elements == [.loaded(1), .failed(NetworkResponse.Error.missingItems)])
            #expect(states.error == nil)
        }

        @Test func `Constant streams`() {
            #expect(Observable<Int>.just(1).ended().elements == [1])
            #expect(Observable<Int>.fail(with: NetworkResponse.Error.missingItems).ended().error is NetworkResponse.Error)
        }
    }
}

// swift-format-ignore
extension JSONDecoder {
    fileprivate static let snakeCaseConverting: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()
}

// swift-format-ignore
extension ObservableType where Element == Data {
    fileprivate func decode<T: Decodable & Sendable>(
        as type: T.Type = T.self,
        using decoder: JSONDecoder = .snakeCaseConverting
    ) -> Observable<T> {
        map { try decoder.decode(type, from: $0) }
    }
}

// swift-format-ignore
extension ObservableType {
    fileprivate func validate(
        using validator: @escaping @Sendable (Element) throws -> Void
    ) -> Observable<Element> {
        map { output in
            try validator(output)
            return output
        }
    }
}

// swift-format-ignore
extension ObservableType {
    fileprivate func unwrap<T: Sendable>(
        orThrow error: @escaping @autoclosure @Sendable () -> any Error
    ) -> Observable<T> where Element == Optional<T> {
        map { output in
            switch output {
            case .some(let value):
                return value
            case nil:
                throw error()
            }
        }
    }
}

// swift-format-ignore
extension ObservableType {
    fileprivate func convertToResult() -> Infallible<Result<Element, any Error>> {
        self.map(Result.success)
            .asInfallible { .just(.failure($0)) }
    }
}

// swift-format-ignore
extension ObservableType {
    fileprivate func convertToLoadingState() -> Infallible<LoadingState<Element>> {
        self.map(LoadingState.loaded)
            .asInfallible { .just(.failed($0)) }
    }
}

// swift-format-ignore
extension Observable {
    fileprivate static func just(_ output: Element) -> Self {
        .of(output)
    }

    fileprivate static func fail(with error: any Error) -> Self {
        .error(error)
    }
}
