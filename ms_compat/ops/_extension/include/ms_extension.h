// The older name of "ms_extension/api.h".
#pragma once
#include "ms_extension/api.h"
