#ifndef CLIBCURL_INFLATE_H
#define CLIBCURL_INFLATE_H

/// Finds zlib among the libraries that libcurl has brought.
void clibcurl_find_inflate(void *library);

#endif
