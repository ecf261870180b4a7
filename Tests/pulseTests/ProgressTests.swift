import NetNodes
import StreamsTesting
import TerminalViews
import Testing

@testable import pulse

@Suite("The progress of a download is one line that fits", .countsResources)
struct ProgressTests {
    private let progress = TransferEvent.Progress(completed: 12_340_000, total: 50_000_000)

    @Test func `It has name, bytes, percentage, rate and time left`() {
        let line = ProgressText.line(name: "file.bin", progress, rate: 4_500_000, width: 79)
        #expect(line == "file.bin  12.3 MB of 50.0 MB  24 %  4.5 MB/s  9 s left")
    }

    @Test func `Without a total or a rate it has what is known`() {
        let open = TransferEvent.Progress(completed: 999, total: nil)
        #expect(ProgressText.line(name: "a", open, rate: nil, width: 79) == "a  999 B")
        #expect(ProgressText.line(name: "a", open, rate: 1_000, width: 79) == "a  999 B  1.0 kB/s")
        #expect(ProgressText.line(name: "a", progress, rate: 0, width: 79) == "a  12.3 MB of 50.0 MB  24 %  0 B/s")
        let almost = TransferEvent.Progress(completed: 999_999, total: 1_000_000)
        #expect(ProgressText.line(name: "a", almost, rate: nil, width: 79).hasSuffix("  99 %"))
    }

    @Test(arguments: [(0.26, "0.3 s"), (12, "12 s"), (130, "2 min")])
    func `At the end it has what was received, and how long that took`(seconds: Double, time: String) {
        let whole = ProgressText.summary(name: "a", bytes: 1_500, received: 1_500, seconds: seconds, width: 79)
        #expect(whole == "a  1.5 kB in \(time)")
        let rest = ProgressText.summary(name: "a", bytes: 1_500, received: 250, seconds: seconds, width: 79)
        #expect(rest == "a  1.5 kB, 250 B of them in \(time)")
    }

    @Test(arguments: [0, 1, 5, 30, 53, 79]) func `A name cannot control the terminal, and a narrow one clips it first`(width: Int) {
        let line = ProgressText.line(name: "\u{1B}[2J文件文件文件文件文件文件", progress, rate: 4_500_000, width: width)
        #expect(TerminalText.width(of: line) <= width)
        #expect(!line.contains("\u{1B}"))
    }

    @Test func `The rate of a download that starts anew is not negative`() {
        var rate = DownloadRate()
        rate.add(1_000_000, at: .zero)
        rate.add(0, at: .seconds(1))
        #expect(rate.perSecond == nil)
        rate.add(1_000, at: .seconds(2))
        #expect(rate.perSecond == 1_000)
    }

    @Test func `The rate is that of the last seconds, not of what was there before`() {
        var rate = DownloadRate()
        rate.add(1_000_000, at: .zero)
        #expect(rate.perSecond == nil)
        for tenth in 1...100 { rate.add(1_000_000 + Int64(tenth) * 10, at: .milliseconds(100 * tenth)) }
        #expect(abs((rate.perSecond ?? 0) - 100) < 1)
        for tenth in 101...200 { rate.add(1_001_000, at: .milliseconds(100 * tenth)) }
        #expect(rate.perSecond == 0)
    }
}
