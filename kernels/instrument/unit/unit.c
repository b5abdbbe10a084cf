/* SPDX-License-Identifier: Apache-2.0 */
/* Parses by libclang: see unit.h. */
#include "config.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clang.h"
#include "guard.h"
#include "harness/base/memory.h"
#include "nodes.h"
#include "unit_arguments.h"

#define FILE_NAME "openclaw-instrument.cl"

static bool offset_of(const struct claw_unit *unit, CXSourceLocation location,
		      size_t *offset)
{
	CXFile file;
	unsigned int at;

	clang_getFileLocation(location, &file, NULL, NULL, &at);
	*offset = at;
	return file && clang_File_isEqual(file, unit->file);
}

static void tell_error(const struct claw_unit *unit, CXDiagnostic diagnostic,
		       char *error, size_t error_size)
{
	CXString words = clang_getDiagnosticSpelling(diagnostic);
	struct claw_place place = { unit->request->name, 1, 1 };
	size_t at;

	if (offset_of(unit, clang_getDiagnosticLocation(diagnostic), &at) &&
	    at <= unit->bytes)
		claw_unit_place(unit, at, &place);
	snprintf(error, error_size, "%s:%u:%u: %s", place.file, place.line,
		 place.column, clang_getCString(words));
	clang_disposeString(words);
}

static int find_errors(const struct claw_unit *unit, char *error,
		       size_t error_size)
{
	unsigned int count = clang_getNumDiagnostics(unit->tu);

	for (unsigned int i = 0; i < count; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(unit->tu, i);
		bool bad = clang_getDiagnosticSeverity(diagnostic) >=
			CXDiagnostic_Error;
		if (bad)
			tell_error(unit, diagnostic, error, error_size);
		clang_disposeDiagnostic(diagnostic);
		if (bad)
			return -1;
	}
	return 0;
}

bool claw_unit_range(const struct claw_unit *unit, CXCursor cursor,
		     size_t *start, size_t *end)
{
	CXSourceRange range = clang_getCursorExtent(cursor);

	return !clang_Range_isNull(range) &&
		offset_of(unit, clang_getRangeStart(range), start) &&
		offset_of(unit, clang_getRangeEnd(range), end) &&
		*start <= *end && *end <= unit->bytes;
}

void claw_unit_refuse(const struct claw_unit *unit, CXCursor cursor,
		      const char *why, char *error, size_t error_size)
{
	struct claw_place place = { "", 0, 0 };
	size_t start, end;

	if (claw_unit_range(unit, cursor, &start, &end))
		claw_unit_place(unit, start, &place);
	snprintf(error, error_size, "%s:%u:%u: %s", place.file, place.line,
		 place.column, why);
}

bool claw_unit_name_at(const struct claw_unit *unit, CXCursor declaration,
		       size_t *offset)
{
	return offset_of(unit, clang_getCursorLocation(declaration), offset) &&
		*offset < unit->bytes;
}

static enum CXChildVisitResult see_last(CXCursor cursor, CXCursor parent,
					CXClientData data)
{
	(void)parent;
	*(CXCursor *)data = cursor;
	return CXChildVisit_Continue;
}

/* What a statement ends with has the semicolon. */
size_t claw_unit_statement_end(const struct claw_unit *unit, CXCursor statement,
			       size_t end)
{
	for (;;) {
		CXCursor last = clang_getNullCursor();

		switch (clang_getCursorKind(statement)) {
		case CXCursor_CompoundStmt:
		case CXCursor_DeclStmt:
		case CXCursor_NullStmt:
			return end;
		case CXCursor_IfStmt:
		case CXCursor_WhileStmt:
		case CXCursor_ForStmt:
		case CXCursor_SwitchStmt:
		case CXCursor_LabelStmt:
		case CXCursor_CaseStmt:
		case CXCursor_DefaultStmt:
		case CXCursor_UnexposedStmt:
			clang_visitChildren(statement, see_last, &last);
			if (!clang_Cursor_isNull(last)) {
				statement = last;
				continue;
			}
			break;
		default:
			break;
		}
		size_t at = claw_unit_skip_blank(unit, end);

		return unit->text[at] == ';' ? at + 1 : end;
	}
}

static enum CXChildVisitResult see_kernel(CXCursor cursor, CXCursor parent,
					  CXClientData data)
{
	(void)parent;
	bool *is_kernel = data;

	if (clang_getCursorKind(cursor) == CXCursor_UnexposedAttr) {
		/* __kernel is an attribute without a kind of its own. */
		CXSourceRange range = clang_getCursorExtent(cursor);
		CXTranslationUnit tu = clang_Cursor_getTranslationUnit(cursor);
		CXToken *token = clang_getToken(tu, clang_getRangeStart(range));

		if (token) {
			CXString word = clang_getTokenSpelling(tu, *token);
			const char *text = clang_getCString(word);

			if (strcmp(text, "kernel") == 0 ||
			    strcmp(text, "__kernel") == 0)
				*is_kernel = true;
			clang_disposeString(word);
			clang_disposeTokens(tu, token, 1);
		}
	}
	return CXChildVisit_Continue;
}

static enum CXChildVisitResult see_body(CXCursor cursor, CXCursor parent,
					CXClientData data)
{
	(void)parent;
	if (clang_getCursorKind(cursor) == CXCursor_CompoundStmt)
		*(CXCursor *)data = cursor;
	return CXChildVisit_Continue;
}

static bool find_places(const struct claw_unit *unit,
			struct claw_function *function)
{
	CXCursor body = clang_getNullCursor();

	if (!claw_unit_name_at(unit, function->cursor, &function->name_at))
		return false;
	function->open = claw_unit_skip_blank(unit, function->name_at +
					      strlen(function->name));
	if (unit->text[function->open] != '(')
		return false;
	function->close = claw_unit_closing(unit, function->open);
	if (function->close == unit->bytes)
		return false;
	if (!function->is_definition)
		return true;
	clang_visitChildren(function->cursor, see_body, &body);
	if (clang_Cursor_isNull(body) ||
	    !claw_unit_range(unit, body, &function->body, &function->body_end))
		return false;
	function->body_end--;
	function->body_cursor = body;
	return unit->text[function->body] == '{' &&
		unit->text[function->body_end] == '}';
}

static enum CXChildVisitResult see_function(CXCursor cursor, CXCursor parent,
					    CXClientData data)
{
	struct claw_unit *unit = data;
	size_t start, end;

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl ||
	    !claw_unit_range(unit, cursor, &start, &end))
		return CXChildVisit_Continue;
	struct claw_function *grown = claw_grow(unit->functions,
						unit->function_count + 1,
						sizeof(*grown));
	unit->functions = grown;
	struct claw_function *function = &grown[unit->function_count++];

	memset(function, 0, sizeof(*function));
	function->cursor = cursor;
	function->canonical = clang_getCanonicalCursor(cursor);
	function->name = claw_nodes_name(cursor);
	function->is_definition = clang_isCursorDefinition(cursor) != 0;
	int parameters = clang_Cursor_getNumArguments(cursor);

	function->parameters = parameters > 0 ? (unsigned int)parameters : 0;
	clang_visitChildren(cursor, see_kernel, &function->is_kernel);
	return CXChildVisit_Continue;
}

/* What is declared and defined nowhere is another program's, if that can be. */
static void find_foreign(struct claw_unit *unit)
{
	for (size_t i = 0; i < unit->function_count; i++) {
		struct claw_function *function = &unit->functions[i];
		bool is_defined = function->is_definition;

		for (size_t k = 0; k < unit->function_count && !is_defined; k++)
			is_defined = unit->functions[k].is_definition &&
				clang_equalCursors(unit->functions[k].canonical,
						   function->canonical);
		function->is_foreign = !is_defined &&
			(!unit->request->is_separate ||
			 clang_Cursor_isVariadic(function->cursor));
	}
}

static int gather_functions(struct claw_unit *unit, char *error,
			    size_t error_size)
{
	clang_visitChildren(clang_getTranslationUnitCursor(unit->tu),
			    see_function, unit);
	find_foreign(unit);
	for (size_t i = 0; i < unit->function_count; i++) {
		if (unit->functions[i].is_foreign ||
		    find_places(unit, &unit->functions[i]))
			continue;
		claw_unit_refuse(unit, unit->functions[i].cursor,
				 "a function that is not written as one",
				 error, error_size);
		return -1;
	}
	return 0;
}

const struct claw_function *claw_unit_callee(const struct claw_unit *unit,
					     CXCursor call)
{
	CXCursor called = clang_getCursorReferenced(call);

	if (clang_Cursor_isNull(called) ||
	    clang_getCursorKind(called) != CXCursor_FunctionDecl)
		return NULL;
	called = clang_getCanonicalCursor(called);
	for (size_t i = 0; i < unit->function_count; i++)
		if (clang_equalCursors(unit->functions[i].canonical, called))
			return unit->functions[i].is_foreign ? NULL :
				&unit->functions[i];
	return NULL;
}

int claw_unit_parse(struct claw_unit *unit, const struct claw_request *request,
		    char *text, char *error, size_t error_size)
{
	struct claw_unit_arguments arguments = { .count = 0 };
	struct CXUnsavedFile file = {
		.Filename = FILE_NAME, .Contents = text, .Length = strlen(text),
	};

	char missing[128];

	memset(unit, 0, sizeof(*unit));
	if (claw_clang_missing(missing, sizeof(missing))) {
		snprintf(error, error_size, "%s:1:1: %s", request->name,
			 missing);
		free(text);
		return -1;
	}
	unit->request = request;
	unit->text = text;
	unit->bytes = strlen(text);
	claw_unit_lines_init(unit);
	if (claw_guard_text(unit, error, error_size) < 0)
		return -1;
	claw_unit_arguments_init(&arguments, request);
	unit->index = clang_createIndex(0, 0);
	enum CXErrorCode code = clang_parseTranslationUnit2(
		unit->index, FILE_NAME, arguments.words, arguments.count, &file,
		1, CXTranslationUnit_None, &unit->tu);
	claw_unit_arguments_release(&arguments);
	if (code != CXError_Success) {
		snprintf(error, error_size, "%s:1:1: libclang cannot read it",
			 request->name);
		return -1;
	}
	unit->file = clang_getFile(unit->tu, FILE_NAME);
	if (find_errors(unit, error, error_size) < 0)
		return -1;
	return gather_functions(unit, error, error_size);
}

void claw_unit_release(struct claw_unit *unit)
{
	for (size_t i = 0; i < unit->function_count; i++)
		free(unit->functions[i].name);
	free(unit->functions);
	claw_unit_lines_release(unit);
	if (unit->tu)
		clang_disposeTranslationUnit(unit->tu);
	if (unit->index)
		clang_disposeIndex(unit->index);
	free(unit->text);
	memset(unit, 0, sizeof(*unit));
}
