import Foundation

/// Returns the maximum memory that this process, or another one on Linux, has used, in bytes.
///
/// On Linux `ru_maxrss` would not do: a program begins with the maximum of the process that started it, and a test never exceeds that.
public func peakMemory(of process: Int32 = getpid()) -> Int {
    #if os(Linux)
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let words = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.split(whereSeparator: \.isWhitespace) ?? []
        return 1_024 * (words.count > 1 ? Int(words[1]) ?? 0 : 0)
    #else
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
    #endif
}
