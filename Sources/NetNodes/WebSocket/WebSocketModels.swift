public import Foundation
public import Streams
import WebSocketFrames

extension WebSocketConnection {
    /// The messages as values, decoded from JSON in texts or bytes. Fails with a ``ModelError`` or a `JSONError` at the first that is not one.
    public func messages<Model: Decodable & Sendable>(
        as type: Model.Type, using decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) -> Observable<Model> {
        messages.decode(as: type, using: decoder)
    }

    /// Sends a value as a text with its JSON.
    ///
    /// - Throws: ``ModelError`` if it cannot be encoded.
    @discardableResult
    public func send(model: some Encodable) throws -> Bool {
        try send(.text(String(decoding: model.encodedJSON(), as: UTF8.self)))
    }

    /// Sends the values of a stream as texts with their JSON; otherwise like ``sender``. A value that cannot be encoded closes the
    /// connection with the code 1011.
    public func sender<Model: Encodable & Sendable>(of type: Model.Type = Model.self) -> AnyObserver<Model> {
        sender.mapObserver { (model: Model) in .text(String(decoding: try model.encodedJSON(), as: UTF8.self)) }
    }
}

extension ObservableType<WebSocketMessage> {
    /// Emits the values in messages of JSON. Fails with a ``ModelError`` or a `JSONError` at the first message that is not one.
    public func decode<Model: Decodable & Sendable>(
        as type: Model.Type, using decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) -> Observable<Model> {
        let messages = asObservable()
        return .deferred {
            let decoder = decoder()
            return messages.map { try $0.data.decodeJSON(type, using: decoder) }
        }
    }
}

extension Encodable {
    fileprivate func encodedJSON() throws -> Data {
        do { return try JSONEncoder().encode(self) } catch let error as EncodingError { throw ModelError(error, encoding: Self.self) }
    }
}
