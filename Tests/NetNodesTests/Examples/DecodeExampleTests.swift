import Foundation
import NetNodes
import StreamsTesting
import Testing

extension ResultExampleTests.DefaultArguments {
    @Test func `The first decode(as:using:), written by hand, takes a plain decoder unless told otherwise`() {
        let data = Observable.just(Data(#"{"refresh_interval": 5}"#.utf8))
        let config: Observable<ResultExampleTests.Config> = data.decode()
        #expect(config.ended().error is DecodingError)
        #expect(data.decode(as: ResultExampleTests.Config.self, using: .snakeCaseConverting).ended().elements.first?.refreshInterval == 5)
    }
}

// swift-format-ignore
extension ObservableType where Element == Data {
    fileprivate func decode<T: Decodable & Sendable>(
        as type: T.Type = T.self,
        using decoder: JSONDecoder = .init()
    ) -> Observable<T> {
        map { try decoder.decode(type, from: $0) }
    }
}
