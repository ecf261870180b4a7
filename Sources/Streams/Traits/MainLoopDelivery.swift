import Schedulers

/// Where drivers and signals are delivered: on the main loop, and in a test on the scheduler that it put in its place.
package enum MainLoopDelivery {
    /// The scheduler of the test that runs.
    @TaskLocal package static var mock: (any Scheduler)?

    /// The scheduler of what is built or subscribed to now.
    static var scheduler: any Scheduler { mock ?? MainScheduler.instance }
}
