import Foundation
import NetNodes
import StreamsTesting
import TestSupport
import Testing

@testable import StreamsSimulator

/// A host that sends the same bytes to whoever has sent a head, and closes.
///
/// `@unchecked Sendable`: confined to the thread of the simulation.
private final class ScriptedHost: SimulatedHost, @unchecked Sendable {
    let name: String
    private let bytes: [UInt8]

    init(_ name: String, _ text: String) { (self.name, bytes) = (name, Array(text.utf8)) }

    func acceptsConnection() -> Bool { true }
    func refuse(for duration: Duration, by fault: FaultOccurrence?) {}
    func loseResponse(by fault: FaultOccurrence) {}

    func open(_ socket: SimulatedSocket) {
        socket.startReading { [self] in
            let count = withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { socket.read(into: $0) }
            guard case .count(1...) = count else { return }
            socket.pauseReading()
            write(from: 0, to: socket)
        }
    }

    private func write(from start: Int, to socket: SimulatedSocket) {
        var sent = start
        while sent < bytes.count, case .count(let count) = bytes[sent...].withUnsafeBytes({ socket.write($0) }) { sent += count }
        guard sent < bytes.count else { return socket.close() }
        socket.startWriting { [self, sent] in
            socket.stopWriting()
            write(from: sent, to: socket)
        }
    }
}

@Suite("Responses in a simulation", .countsResources)
struct SimulatedResponseTests {
    @Test func `Each kind of response is read or refused as the table says`() async throws {
        let samples = ResponseSample.all
        let readings = RecordedElements<String>()
        try await Simulation.replay(seed: 1) { world in
            readings.removeAll()
            for (number, sample) in samples.enumerated() { world.network.add(ScriptedHost("host\(number)", sample.text)) }
            world.process("client") { environment in
                for number in samples.indices {
                    let url = try #require(URL(string: "http://host\(number)/"))
                    do {
                        for try await response in environment.transport.response(to: HTTPRequest(.get, url)).values {
                            readings.append("\(ResponseSample.Reading.body(String(decoding: response.body, as: UTF8.self)))")
                        }
                    } catch let error as TransportError { readings.append("\(Self.reading(of: error))") }
                }
            }
            try await world.run(for: .seconds(600))
        }
        #expect(readings.elements.count == samples.count)
        for (sample, reading) in zip(samples, readings.elements) { #expect(reading == "\(sample.reading)", "\(sample.name)") }
    }

    private static func reading(of error: TransportError) -> ResponseSample.Reading {
        switch error {
        case .malformedResponse(_, let reason): .refused(reason)
        case .incompleteBody: .incomplete
        default: .refused("\(error)")
        }
    }
}
