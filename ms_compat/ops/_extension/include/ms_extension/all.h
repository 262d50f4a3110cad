// Everything that there is for operators on the CPU; MindSpore's header of this name has kernels for Ascend besides.
#pragma once
#include "ms_extension/api.h"
