import Foundation
import NetNodes

extension RequestOptions {
    /// Returns the events of the request's transfer, through the whole node chain.
    ///
    /// - Parameter adapt: the timeouts, limits and further headers of the command.
    func transfer(_ adapt: (URLChain<Routed, Void>) -> URLChain<Routed, Void>) -> Observable<TransferEvent> {
        let chain = adapt(URLChain.ofPulse.route(HTTPMethod(rawValue: method), url).headers(httpHeaders))
        guard let body else { return chain.transfer.stream() }
        return chain.input(Data.self).transfer.stream(Data(body.utf8))
    }

    /// The given headers, with a default `Content-Type` for data.
    private var httpHeaders: HTTPHeaders {
        var fields = HTTPHeaders(headers.map { HTTPHeaders.Field(name: $0.name, value: $0.value) })
        guard let body, fields["Content-Type"] == nil else { return fields }
        let isJSON = (try? JSON(parsing: body)) != nil
        fields["Content-Type"] = isJSON ? "application/json" : "application/x-www-form-urlencoded"
        return fields
    }
}
