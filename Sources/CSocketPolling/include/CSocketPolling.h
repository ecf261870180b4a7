// Glibc's Swift module has no epoll, with which sockets are watched.

#ifndef CSOCKETPOLLING_H
#define CSOCKETPOLLING_H

#ifdef __linux__
#include <sys/epoll.h>
#endif

#endif
