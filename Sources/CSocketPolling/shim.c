#include "CSocketPolling.h"
