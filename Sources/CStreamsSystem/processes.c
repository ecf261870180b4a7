#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "CStreamsSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
// Since glibc 2.34; with an older one the child inherits what was opened without O_CLOEXEC.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from) __attribute__((weak));
#endif

static int set_attributes(posix_spawnattr_t *attributes) {
    sigset_t signals;
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
#ifndef __linux__
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    sigemptyset(&signals);
    int error = posix_spawnattr_setsigmask(attributes, &signals);
    sigfillset(&signals);
    if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &signals);
    return error != 0 ? error : posix_spawnattr_setflags(attributes, flags);
}

static int set_actions(posix_spawn_file_actions_t *actions, const char *directory, int input, int output, int errors) {
    int error = input < 0 ? posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
                          : posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
    if (error == 0) error = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
    if (error == 0) error = posix_spawn_file_actions_adddup2(actions, errors, STDERR_FILENO);
    if (error == 0 && directory) error = posix_spawn_file_actions_addchdir_np(actions, directory);
#ifdef __linux__
    if (error == 0 && posix_spawn_file_actions_addclosefrom_np) {
        error = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
    }
#endif
    return error;
}

int streams_spawn(
    pid_t *child, const char *path, char *const arguments[], char *const environment[], const char *directory, int input, int output,
    int errors) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int error = posix_spawnattr_init(&attributes);
    if (error != 0) return error;
    error = posix_spawn_file_actions_init(&actions);
    if (error == 0) {
        error = set_attributes(&attributes);
        if (error == 0) error = set_actions(&actions, directory, input, output, errors);
        if (error == 0) error = posix_spawn(child, path, &actions, &attributes, arguments, environment);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return error;
}

int streams_was_signalled(int status) { return WIFSIGNALED(status); }

int streams_status_number(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status); }
