import Foundation
import NodeKit
import StreamsTesting
import Testing

@testable import NetNodes

/// The law of steps: the node of NodeKit, the step of a chain and the operator do the same.
@Suite("The forms of a step", .onOneThread, .countsResources)
struct StepFormsTests {
    private static let answers: [[Answer]] = [
        [.status(200)], [.text(#"{"m": 1}"#)], [.text("{")], [.status(204)], [.status(304)], [.status(304), .status(200)], [.status(404)],
        [.status(401), .status(200)], [.status(401)], [.status(503), .status(200)], [.status(503)], [.lost], [.lost, .status(200)],
        [.silent], [.status(503), .silent], [.status(401), .silent],
    ]

    /// The lists in which a run can be ended at each stage.
    private static let staged: [[Answer]] = [
        [.status(200)], [.status(304), .status(200)], [.status(503), .status(200)], [.status(401), .status(200)], [.silent],
        [.status(503), .silent], [.status(401), .silent],
    ]

    @Test(arguments: StepTable.rows) func `Each gives the same outputs, error, log and requests`(row: StepRow) throws {
        for (request, answers, failing) in try runs(Self.answers) {
            let first = compared(row, request, answers, failing)
            #expect(first.ending != "pending" || answers.contains(.silent))
        }
    }

    @Test(arguments: StepTable.rows) func `Each can be disposed and aborted at each stage, and does nothing after it`(row: StepRow) throws {
        for interruption in Interruption.all {
            for (request, answers, failing) in try runs(Self.staged.filter { $0.count >= interruption.attempts }) where failing {
                let first = compared(row, request, answers, failing, interruption)
                #expect(first.late == 0, "\(interruption), \(request.method) \(answers)")
                if interruption.stage == .beforeStart { #expect(first.sent.isEmpty && first.elements.isEmpty) }
                if interruption == Interruption(act: .abort, stage: .waiting(1)), answers == [.silent], !first.sent.isEmpty {
                    #expect(first.ending == "The operation was aborted.")
                    #expect(first.disposed == 1)
                }
            }
        }
    }

    @Test func `Each step stands in the table`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources/NodeKit/Nodes")
        let files = try FileManager.default.contentsOfDirectory(at: sources.standardizedFileURL, includingPropertiesForKeys: nil)
        let nodes = try files.flatMap {
            try String(contentsOf: $0, encoding: .utf8).matches(of: /struct (\w+)[^\n]*: StepNode/).map { String($0.output.1) }
        }
        #expect(nodes.count > 25)
        let names = Set(StepTable.rows.flatMap { $0.description.split(separator: " ").map(String.init) })
        #expect(nodes.filter { !names.contains($0) } == [])
    }

    /// Runs the three forms, expects the same of each, and returns it.
    private func compared(
        _ row: StepRow, _ request: HTTPRequest, _ answers: [Answer], _ failing: Bool, _ interruption: Interruption? = nil
    ) -> FormOutcome {
        let outcomes = row.forms.map { FormRun.outcome(of: $0.form, request, answers, failing: failing, interruption) }
        for index in 1..<outcomes.count {
            #expect(
                outcomes[index] == outcomes[0],
                "the \(row.forms[index].name), \(request.method) \(answers) \(interruption.map { "\($0)" } ?? "")")
        }
        return outcomes[0]
    }

    private func runs(_ answers: [[Answer]]) throws -> [(HTTPRequest, [Answer], Bool)] {
        let url = try #require(URL(string: "https://example.com/teas"))
        return [HTTPRequest.Method.get, .post].flatMap { method in
            answers.flatMap { answers in [false, true].map { (HTTPRequest(method, url), answers, $0) } }
        }
    }
}
