# SPDX-License-Identifier: Apache-2.0
# Macros of openclaw's configure: required libraries that name their Debian
# package, compiler flags that are tried first, tools that may be missing.

# CLAW_REQUIRE(VARIABLE, PKG-CONFIG MODULES, DEBIAN PACKAGE, WHAT FOR)
AC_DEFUN([CLAW_REQUIRE],
[PKG_CHECK_MODULES([$1], [$2], [],
  [AC_MSG_ERROR([$2 is missing ($4): install the Debian package $3, or run ./autogen.sh --deps])])])

# CLAW_TRY_CFLAG(FLAG, VARIABLE): append FLAG to VARIABLE when the compiler
# takes it without a warning.
AC_DEFUN([CLAW_TRY_CFLAG],
[AS_VAR_PUSHDEF([claw_cached], [claw_cv_cflag_$1])
AC_CACHE_CHECK([whether $CC accepts $1], [claw_cached],
  [claw_saved_cflags=$CFLAGS
   CFLAGS="$CFLAGS -Werror $1"
   AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
     [AS_VAR_SET([claw_cached], [yes])], [AS_VAR_SET([claw_cached], [no])])
   CFLAGS=$claw_saved_cflags])
AS_VAR_IF([claw_cached], [yes], [AS_VAR_APPEND([$2], [" $1"])])
AS_VAR_POPDEF([claw_cached])])

# CLAW_TOOL(VARIABLE, PROGRAM, DEBIAN PACKAGE, WHAT IT GIVES): a program that
# is of use at run time or in tests. Adds a line to the closing summary.
AC_DEFUN([CLAW_TOOL],
[AC_PATH_PROG([$1], [$2])
CLAW_SUMMARY([$2], [$$1], [$3], [$4])])

# CLAW_SUMMARY(NAME, WHERE, DEBIAN PACKAGE, WHAT IT GIVES)
AC_DEFUN([CLAW_SUMMARY],
[AS_IF([test -n "$2"],
  [claw_line=`printf '  %-12s %s' "$1" "$2"`
   claw_found="$claw_found$claw_line
"],
  [claw_line=`printf '  %-12s would give %s (package %s)' "$1" "$4" "$3"`
   claw_missing="$claw_missing$claw_line
"])])
