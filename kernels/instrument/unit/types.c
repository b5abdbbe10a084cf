/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked of types: see nodes.h. */
#include "config.h"

#include "nodes.h"

const char *const claw_space_names[CLAW_SPACES] = {
	"private", "global", "constant", "local", "generic",
};
const char *const claw_space_words[CLAW_SPACES] = {
	"__private", "__global", "__constant", "__local", "__generic",
};

bool claw_type_is_pointer(CXType type)
{
	return clang_getCanonicalType(type).kind == CXType_Pointer;
}

bool claw_type_is_array(CXType type)
{
	enum CXTypeKind kind = clang_getCanonicalType(type).kind;

	return kind == CXType_ConstantArray || kind == CXType_IncompleteArray ||
		kind == CXType_VariableArray;
}

bool claw_type_is_vector(CXType type)
{
	enum CXTypeKind kind = clang_getCanonicalType(type).kind;

	return kind == CXType_ExtVector || kind == CXType_Vector;
}

bool claw_type_is_image(CXType type)
{
	enum CXTypeKind kind = clang_getCanonicalType(type).kind;

	return kind >= CXType_OCLImage1dRO && kind <= CXType_OCLImage3dRW;
}

bool claw_type_is_sampler(CXType type)
{
	return clang_getCanonicalType(type).kind == CXType_OCLSampler;
}

bool claw_type_is_integer(CXType type)
{
	enum CXTypeKind kind = clang_getCanonicalType(type).kind;

	return (kind >= CXType_Bool && kind <= CXType_Int128) ||
		kind == CXType_Enum;
}

bool claw_type_is_unsigned(CXType type)
{
	enum CXTypeKind kind = clang_getCanonicalType(type).kind;

	return kind >= CXType_Bool && kind <= CXType_UInt128;
}

CXType claw_type_pointee(CXType type)
{
	type = clang_getCanonicalType(type);
	return type.kind == CXType_Pointer ? clang_getPointeeType(type) :
		type.kind == CXType_ExtVector || type.kind == CXType_Vector ?
		clang_getElementType(type) : clang_getArrayElementType(type);
}

long long claw_type_size(CXType type)
{
	return clang_Type_getSizeOf(clang_getCanonicalType(type));
}

long long claw_type_align(CXType type)
{
	return clang_Type_getAlignOf(clang_getCanonicalType(type));
}

enum claw_space claw_type_space(CXType type)
{
	static const enum claw_space spaces[] = {
		CLAW_SPACE_PRIVATE, CLAW_SPACE_GLOBAL, CLAW_SPACE_LOCAL,
		CLAW_SPACE_CONSTANT, CLAW_SPACE_PRIVATE, CLAW_SPACE_GENERIC,
	};

	if (type.kind == CXType_Invalid)
		return CLAW_SPACE_PRIVATE;
	unsigned int number = clang_getAddressSpace(type);

	return number < sizeof(spaces) / sizeof(spaces[0]) ? spaces[number] :
		CLAW_SPACE_GENERIC;
}
