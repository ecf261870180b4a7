// What Swift's module of the C library lacks: system calls that create descriptors which no program inherits, the extensions of `posix_spawn`,
// epoll, with which sockets are watched, and ppoll, which waits for less than a millisecond.

#ifndef CSTREAMSSYSTEM_H
#define CSTREAMSSYSTEM_H

#include <stdint.h>
#include <sys/types.h>
#ifdef __linux__
#include <sys/epoll.h>
#endif

/// Creates a pipe that no program inherits, also one that another thread starts meanwhile; its ends are no standard descriptors. Returns 0 or
/// an error number.
int streams_pipe(int ends[2]);

/// Accepts a connection on a socket that no program inherits. Returns -1, and sets `errno`, if there is none.
int streams_accept(int listener);

/// Starts the program at `path` in a session of its own, with the default action of every signal and none blocked.
///
/// It inherits the three descriptors and no other; without `input` it reads from /dev/null. Returns 0 or an error number.
int streams_spawn(
    pid_t *child, const char *path, char *const arguments[], char *const environment[], const char *directory, int input, int output,
    int errors);

/// The decoded status of a child: whether it was ended by a signal, and the signal's number or the exit code.
int streams_was_signalled(int status);
int streams_status_number(int status);

/// Takes a job of Swift's concurrency that was enqueued on the global executor by this thread, or that is to be after a time of a real clock
/// if `sleeps`; returns whether it did.
typedef int (*streams_take_job)(void *job, int sleeps);

/// Tells whether this thread is the main actor's.
typedef int (*streams_is_main_actor)(void);

/// Offers each job that is enqueued on the global executor to `take`, and lets the executor with these two words be that of the main actor
/// where `is_main_actor` says so. Returns 0 if the runtime has no hooks for that.
int streams_hook_jobs(streams_take_job take, streams_is_main_actor is_main_actor, uintptr_t identity, uintptr_t implementation);

/// The number of the task that a job runs, which no other task of this process has; 0 if it runs none.
uint64_t streams_task_number(void *job);

#ifdef __linux__
/// Returns the descriptor of a new counter that no program inherits: it can be read after a number is written to it. -1, and `errno`, on
/// failure.
int streams_event(void);

/// Waits until a descriptor is ready to be read, for less than a second.
void streams_wait_readable(int descriptor, long nanoseconds);
#endif

#endif
