/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the stub driver tells tests about itself. Both functions are symbols
 * of its shared object, and known to clGetExtensionFunctionAddressForPlatform.
 */
#ifndef STUB_API_H
#define STUB_API_H

#include "faults/shared/cl_types.h"

/* How often the driver's function of that name was called; 0 for none. */
cl_ulong CL_API_CALL clStubCallsOPENCLAW(const char *function);

/* The bits of one argument (from 0) in the latest call of that function. */
cl_ulong CL_API_CALL clStubArgOPENCLAW(const char *function, cl_uint index);

typedef cl_ulong (CL_API_CALL *clStubCallsOPENCLAW_fn)(const char *function);
typedef cl_ulong (CL_API_CALL *clStubArgOPENCLAW_fn)(const char *function,
						     cl_uint index);

#endif
