# SPDX-License-Identifier: Apache-2.0
# Finds openclaw: OPENCLAW_EXECUTABLE, OPENCLAW_INCLUDE_DIR, and the target
# Openclaw::header for tests that include <openclaw/openclaw.h>. Defines
#
#	openclaw_add_test(NAME name COMMAND target [arg...])
#		a test that arms faults itself, run with openclaw's layer loaded
#
#	openclaw_add_judged_test(NAME name [FAULTS rule...] [PLANS file...]
#		COMMAND target [arg...])
#		a program that openclaw runs with and without the faults; passes
#		when it handled them, is skipped when nothing could run here

find_program(OPENCLAW_EXECUTABLE openclaw DOC "the openclaw program")
find_path(OPENCLAW_INCLUDE_DIR openclaw/openclaw.h
  DOC "the folder that has openclaw/openclaw.h")
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Openclaw
  REQUIRED_VARS OPENCLAW_EXECUTABLE OPENCLAW_INCLUDE_DIR)
mark_as_advanced(OPENCLAW_EXECUTABLE OPENCLAW_INCLUDE_DIR)

if(Openclaw_FOUND AND NOT TARGET Openclaw::header)
  add_library(Openclaw::header INTERFACE IMPORTED)
  set_target_properties(Openclaw::header PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${OPENCLAW_INCLUDE_DIR}")
endif()

# "COMMAND target arg..." with the target's file.
function(_openclaw_command out target)
  if(TARGET ${target})
    set(target "$<TARGET_FILE:${target}>")
  endif()
  set(${out} "${target}" ${ARGN} PARENT_SCOPE)
endfunction()

function(openclaw_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "COMMAND")
  _openclaw_command(command ${arg_COMMAND})
  add_test(NAME ${arg_NAME} COMMAND sh -c
    "layer=$(\"$0\" env --sh) || exit 99; eval \"$layer\"; exec \"$@\""
    "${OPENCLAW_EXECUTABLE}" ${command})
endfunction()

function(openclaw_add_judged_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "FAULTS;PLANS;COMMAND")
  _openclaw_command(command ${arg_COMMAND})
  set(options)
  foreach(rule IN LISTS arg_FAULTS)
    list(APPEND options --fault "${rule}")
  endforeach()
  foreach(plan IN LISTS arg_PLANS)
    list(APPEND options --plan "${plan}")
  endforeach()
  add_test(NAME ${arg_NAME} COMMAND "${OPENCLAW_EXECUTABLE}" inject --judge
    ${options} --output "openclaw-out/${arg_NAME}" --force -- ${command})
  set_tests_properties(${arg_NAME} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()
