import Foundation

extension JSONDecoder {
    /// A decoder that converts `snake_case` keys for `camelCase` properties: the default of `decode`.
    public static let snakeCaseConverting: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()
}

extension ObservableType where Element == Data {
    /// Emits the decoded elements; fails with the error of the decoder.
    ///
    /// ```swift
    /// transport.data(for: items)
    ///     .map(\.data)
    ///     .decode(as: NetworkResponse.self)
    /// // --d--|
    /// // --r--|
    /// ```
    ///
    /// The type may be inferred. Runs where upstream emits.
    /// Source: [Combine, decode](https://developer.apple.com/documentation/combine/publisher/decode(type:decoder:)).
    @inlinable
    public func decode<Model: Decodable & Sendable>(
        as type: Model.Type = Model.self, using decoder: JSONDecoder = .snakeCaseConverting
    ) -> Observable<Model> {
        map { data in try decoder.decode(Model.self, from: data) }
    }
}
