#include "CLibcurl.h"
