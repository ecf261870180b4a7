// The hooks of Swift's runtime: what `withMainSerialExecutor` of other packages uses, too. Their types are those of the runtime's
// `Concurrency.h`; they are called with Swift's convention.

#include "CStreamsSystem.h"

#define SWIFT_CALL __attribute__((swiftcall))
#define HOOK extern SWIFT_CALL __attribute__((weak))

struct executor {
    uintptr_t identity;
    uintptr_t implementation;
};

typedef SWIFT_CALL void (*enqueue_global)(void *job);
typedef SWIFT_CALL void (*enqueue_after)(unsigned long long delay, void *job);
typedef SWIFT_CALL void (*enqueue_at)(
    long long seconds, long long nanoseconds, long long tolerance_seconds, long long tolerance_nanoseconds, int clock, void *job);
typedef SWIFT_CALL struct executor (*get_main_executor)(void);
typedef SWIFT_CALL _Bool (*is_main_executor)(struct executor);

HOOK void (*swift_task_enqueueGlobal_hook)(void *job, enqueue_global original);
HOOK void (*swift_task_enqueueGlobalWithDelay_hook)(unsigned long long delay, void *job, enqueue_after original);
HOOK void (*swift_task_enqueueGlobalWithDeadline_hook)(
    long long seconds, long long nanoseconds, long long tolerance_seconds, long long tolerance_nanoseconds, int clock, void *job,
    enqueue_at original);
HOOK struct executor (*swift_task_getMainExecutor_hook)(get_main_executor original);
HOOK _Bool (*swift_task_isMainExecutor_hook)(struct executor, is_main_executor original);

extern SWIFT_CALL __attribute__((weak)) uint64_t swift_task_getJobTaskId(void *job);

static streams_take_job take_job;
static streams_is_main_actor is_main_actor;
static struct executor simulated;

static SWIFT_CALL void enqueue(void *job, enqueue_global original) {
    if (!take_job(job, 0)) original(job);
}

static SWIFT_CALL void enqueue_delayed(unsigned long long delay, void *job, enqueue_after original) {
    if (!take_job(job, 1)) original(delay, job);
}

static SWIFT_CALL void enqueue_deadline(
    long long seconds, long long nanoseconds, long long tolerance_seconds, long long tolerance_nanoseconds, int clock, void *job,
    enqueue_at original) {
    if (!take_job(job, 1)) original(seconds, nanoseconds, tolerance_seconds, tolerance_nanoseconds, clock, job);
}

static SWIFT_CALL struct executor main_executor(get_main_executor original) { return is_main_actor() ? simulated : original(); }

static SWIFT_CALL _Bool is_main(struct executor executor, is_main_executor original) {
    return executor.identity == simulated.identity || original(executor);
}

int streams_hook_jobs(streams_take_job take, streams_is_main_actor is_simulated, uintptr_t identity, uintptr_t implementation) {
    if (!&swift_task_enqueueGlobal_hook || !&swift_task_getMainExecutor_hook || !&swift_task_isMainExecutor_hook) return 0;
    take_job = take;
    is_main_actor = is_simulated;
    simulated.identity = identity;
    simulated.implementation = implementation;
    swift_task_enqueueGlobal_hook = enqueue;
    if (&swift_task_enqueueGlobalWithDelay_hook) swift_task_enqueueGlobalWithDelay_hook = enqueue_delayed;
    if (&swift_task_enqueueGlobalWithDeadline_hook) swift_task_enqueueGlobalWithDeadline_hook = enqueue_deadline;
    swift_task_getMainExecutor_hook = main_executor;
    swift_task_isMainExecutor_hook = is_main;
    return 1;
}

uint64_t streams_task_number(void *job) { return &swift_task_getJobTaskId ? swift_task_getJobTaskId(job) : 0; }
