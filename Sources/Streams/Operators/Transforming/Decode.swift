import Foundation

extension JSONDecoder {
    /// A decoder that finds `snake_case` keys for `camelCase` properties: what `decode` uses if it is not told otherwise.
    public static let snakeCaseConverting: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()
}

extension ObservableType where Element == Data {
    /// Sends what each piece of data holds; the error of the decoder ends the stream.
    ///
    /// ```swift
    /// transport.data(for: items)
    ///     .map(\.data)
    ///     .decode(as: NetworkResponse.self)
    /// // --d--|
    /// // --r--|
    /// ```
    ///
    /// The type may be left out where the context tells it. Runs where upstream sends.
    /// Source: [Combine, decode](https://developer.apple.com/documentation/combine/publisher/decode(type:decoder:)).
    public func decode<Model: Decodable & Sendable>(
        as type: Model.Type = Model.self, using decoder: JSONDecoder = .snakeCaseConverting
    ) -> Observable<Model> {
        map { data in try decoder.decode(Model.self, from: data) }
    }
}
