// Glibc's Swift module has no epoll, with which sockets are watched, and no ppoll, which can wait for less than a millisecond.

#ifndef CSOCKETPOLLING_H
#define CSOCKETPOLLING_H

#ifdef __linux__
#include <sys/epoll.h>

// Waits until a descriptor is ready to be read, for less than a second.
void csocketpolling_wait(int descriptor, long nanoseconds);
#endif

#endif
