public import Streams

extension Step where Input == NextInput, Output == NextOutput {
    /// Maps the errors of any transport to ``TechnicalError``.
    static var mappingTechnicalErrors: Step { .after("TechnicalErrorMapperNode") { $0.mapTechnicalErrors() } }
}

extension ObservableType {
    /// Maps a transport's error to the corresponding ``TechnicalError``; any other error is forwarded.
    public func mapTechnicalErrors() -> Observable<Element> {
        mapError { error in TechnicalError(error) ?? error }
    }
}
