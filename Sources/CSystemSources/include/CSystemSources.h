// Starting a child process. Glibc's Swift module has not the extensions of `posix_spawn`.

#ifndef CSYSTEMSOURCES_H
#define CSYSTEMSOURCES_H

#include <sys/types.h>

/// Starts the program at `path` in a session of its own, with the default action of every signal and none blocked.
///
/// It inherits the three descriptors and no other; without `input` it reads from /dev/null. Returns 0 or an error number.
int streams_spawn(
    pid_t *child, const char *path, char *const arguments[], char *const environment[], const char *directory, int input, int output,
    int errors);

/// The decoded status of a child: whether it was ended by a signal, and the signal's number or the exit code.
int streams_was_signalled(int status);
int streams_status_number(int status);

#endif
