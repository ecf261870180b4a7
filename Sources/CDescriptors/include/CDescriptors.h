// Glibc's Swift module has neither `pipe2` nor `accept4`.

#ifndef CDESCRIPTORS_H
#define CDESCRIPTORS_H

/// Creates a pipe that no program inherits, also one that another thread starts meanwhile; its ends are no standard descriptors. Returns 0 or
/// an error number.
int streams_pipe(int ends[2]);

/// Accepts a connection on a socket that no program inherits. Returns -1, and sets `errno`, if there is none.
int streams_accept(int listener);

#endif
