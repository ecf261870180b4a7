extension Chapter {
    /// Everything that is measured, in the order of the report.
    static var all: [Chapter] {
        [
            Chapter(title: "events", kind: .core, cases: SubjectCases.all + SynchronousCases.all),
            Chapter(title: "large elements, long chains", kind: .further, cases: PayloadCases.all),
            Chapter(title: "several sources", kind: .further, cases: CombiningCases.all),
            Chapter(title: "operators with state", kind: .further, cases: OperatorCases.all),
            Chapter(title: "subscriptions", kind: .further, cases: SubscriptionCases.all),
            Chapter(title: "threads and time", kind: .further, cases: SchedulingCases.all),
            Chapter(title: "timers", kind: .further, cases: TimerCases.all),
            Chapter(title: "to compare with", kind: .baseline, cases: BaselineCases.all),
            Chapter(title: "growth", kind: .growth, cases: GrowthCases.all),
        ]
    }

    /// The chapter with only the rows whose name contains `filter`; nil if there is none.
    func filtered(by filter: String) -> Chapter? {
        let kept = filter.isEmpty ? cases : cases.filter { $0.name.lowercased().contains(filter.lowercased()) }
        return kept.isEmpty ? nil : Chapter(title: title, kind: kind, cases: kept)
    }
}
