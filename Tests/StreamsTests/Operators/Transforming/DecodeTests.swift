import Foundation
import Streams
import StreamsTesting
import Testing

@Suite("decode", .onOneThread, .countsResources) struct DecodeTests {
    struct Item: Codable, Equatable {
        let shortName: String
    }

    @Test func `Data is decoded from snake case, with an inferred type`() {
        let data = Data(#"{"short_name": "a"}"#.utf8)
        let items: Observable<Item> = Observable.just(data).decode()
        #expect(received(items.map(\.shortName)) == ["a", "|"])
        #expect(received(Observable.just(data).decode(as: Item.self).map(\.shortName)) == ["a", "|"])
    }

    @Test func `Data that cannot be decoded fails the stream with the decoder's error`() {
        let errors = Lock<[any Error]>([])
        let subscription = Observable.just(Data("x".utf8)).decode(as: Item.self).subscribe(
            onError: { error in errors.withLock { $0.append(error) } })
        subscription.dispose()
        #expect(errors.withLock { $0.first } is DecodingError)
    }
}
