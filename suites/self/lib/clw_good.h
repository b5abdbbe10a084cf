/* SPDX-License-Identifier: Apache-2.0 */
/* Headers of kernel files that are read, and what becomes of each. Bytes of
 * values are those in device memory. */
#ifndef CLAW_CLW_GOOD_H
#define CLAW_CLW_GOOD_H

#include <stddef.h>

#include "clw_lines.h"

static const struct {
	const char *name, *path, *text;	/* path NULL: a.clw */
	const char *said;		/* by say_file() of check_clw.c */
} good[] = {
	{ "smallest", NULL,
	  "/*!\n[config]\n!*/\n",
	  "a:1 - 1 global 1,1,1" },
	{ "header after a licence", NULL,
	  "/* licence */\n\n/*!\n[config]\n[test]\nkernel_name: k\n"
	  "!*/\n",
	  "a:5 k 1 global 1,1,1" },
	{ "Doxygen before the header", NULL,
	  "/*! \\brief x */\n/*!\n[config]\n[test]\nkernel_name: k\n"
	  "!*/\n",
	  "a:4 k 1 global 1,1,1" },
	{ "on one line", NULL,
	  "/*! [config] !*/ kernel void k() {}",
	  "a:1 - 1 global 1,1,1" },
	{ "CRLF", NULL,
	  "/*!\r\n[config]\r\nkernel_name: k\r\n[test]\r\n"
	  "arg_in: 0 int 1\r\n!*/\r\n",
	  "a:4 k 1 global 1,1,1; in 0 value int1[1] 4 01000000" },
	{ "BOM", NULL,
	  "\357\273\277/*!\n[config]\nkernel_name: k\n[test]\n!*/\n",
	  "a:4 k 1 global 1,1,1" },
	{ "two tests", NULL,
	  "/*!\n[config]\nkernel_name: k\n[test]\nname: one\n[test]\n"
	  "name: two\nkernel_name: l\n!*/\n",
	  "a.one:4 k 1 global 1,1,1 name \"one\" | a.two:6 l 1 global 1,1,1 "
	  "name \"two\"" },
	{ "tests without names", NULL,
	  "/*!\n[config]\nkernel_name: k\n[test]\n[test]\n[test]\n"
	  "!*/\n",
	  "a:4 k 1 global 1,1,1 | a.2:5 k 1 global 1,1,1 | a.3:6 k 1 global "
	  "1,1,1" },
	{ "names that are no file names", NULL,
	  "/*!\n[config]\nkernel_name: k\n[test]\n"
	  "name: pos/neg, a%b=0\n[test]\nname: ../../x\n[test]\n"
	  "name: ?\?\?\n[test]\nname: \303\244\303\266\303\274 b\n"
	  "!*/\n",
	  "a.pos_neg_a_b_0:4 k 1 global 1,1,1 name \"pos/neg, a%b=0\" | "
	  "a._._.._x:6 k 1 global 1,1,1 name \"../../x\" | a.test:8 k 1 "
	  "global 1,1,1 name \"?\?\?\" | a.b:10 k 1 global 1,1,1 name "
	  "\"\303\244\303\266\303\274 b\"" },
	{ "the same name twice", NULL,
	  "/*!\n[config]\nkernel_name: k\n[test]\nname: x\n[test]\n"
	  "name: x\n[test]\nname: x.2\n!*/\n",
	  "a.x:4 k 1 global 1,1,1 name \"x\" | a.x.2:6 k 1 global 1,1,1 name "
	  "\"x\" | a.x.2.2:8 k 1 global 1,1,1 name \"x.2\"" },
	{ "one test with a name", NULL,
	  "/*!\n[config]\nkernel_name: k\n[test]\nname: x\n!*/\n",
	  "a:4 k 1 global 1,1,1 name \"x\"" },
	{ "blanks in sections", NULL,
	  "/*!\n  [ config ]  # c\n\t[test]\nkernel_name : k\n!*/\n",
	  "a:3 k 1 global 1,1,1" },
	{ "comments everywhere", NULL,
	  "/*!\n# [test]\n[config] # x\nkernel_name: k # y\n\n"
	  "[test]#z\narg_in: 0 int 1#2\n!*/\n",
	  "a:6 k 1 global 1,1,1; in 0 value int1[1] 4 01000000" },
	{ "config's defaults", NULL,
	  "/*!\n[config]\nkernel_name: k\nglobal_size: 8 8 0\n"
	  "dimensions: 2\nlocal_size: 2 2 0\nexpect_finding: race\n"
	  "allow_finding: misaligned\ntags: a b\n[test]\n[test]\n"
	  "global_size: 4 4 1\nlocal_size: null\n"
	  "expect_finding: divergence\ntags: c\n[test]\n"
	  "allow_finding: race local\n!*/\n",
	  "a:10 k 2 global 8,8,0 local 2,2,0 tag a tag b expect race allow "
	  "misaligned | a.2:11 k 2 global 4,4,1 tag c allow misaligned "
	  "expect divergence | a.3:16 k 2 global 8,8,0 local 2,2,0 tag a tag "
	  "b expect race allow race local" },
	{ "program test", "a.program_test",
	  "[config]\nname: a b\nkernel_name: k\n[test]\n"
	  "arg_in: 0 int 1\n[program source]\n"
	  "kernel void k(int x) {}\n",
	  "\"a b\" a:4 k 1 global 1,1,1; in 0 value int1[1] 4 01000000" },
	{ "program test with tests behind the source", "a.program_test",
	  "[config]\n[program source]\nint x[3];\n  [test]\n"
	  "kernel_name: k\n",
	  "a:4 k 1 global 1,1,1" },
	{ "program test with BOM", "a.program_test",
	  "\357\273\277[config]\n[program source]\n",
	  "a:1 - 1 global 1,1,1" },
	{ "build that fails", NULL,
	  "/*!\n[config]\nkernel_name: k\nexpect_build_fail: true\n"
	  "!*/\n",
	  "no build a:1 - 1 global 1,1,1 allow api-error" },
	{ "kernel_name NULL of piglit", NULL,
	  "/*!\n[config]\nkernel_name: NULL\n!*/\n",
	  "a:1 - 1 global 1,1,1" },
	{ "sizes of a build", NULL,
	  "/*!\n[config]\nglobal_size: 0 3\nlocal_size: 0\n"
	  "dimensions: 1\n!*/\n",
	  "a:1 - 1 global 1,3,0" },
	{ "suffix of no kind", "dir.d/x y.txt",
	  "/*!\n[config]\nkernel_name: k\n[test]\n!*/\n",
	  "\"x_y\" x_y:4 k 1 global 1,1,1" },
	{ "name", NULL,
	  CONFIG("name: Add and subtract"),
	  "\"Add and subtract\" a:5 k 1 global 1,1,1" },
	{ "versions", NULL,
	  CONFIG("clc_version_min: 10\nclc_version_max: 30"),
	  "clc 10..30 a:6 k 1 global 1,1,1" },
	{ "regular expressions", NULL,
	  CONFIG("platform_regex: .*Portable.*\ndevice_regex: gfx[\\d]*"),
	  "platform \".*Portable.*\" device \"gfx[\\d]*\" a:6 k 1 global "
	  "1,1,1" },
	{ "extensions", NULL,
	  CONFIG("require_platform_extensions: cl_khr_icd\n"
	  "require_device_extensions: cl_khr_fp64  cl_khr_fp16"),
	  " has cl_khr_icd needs cl_khr_fp64 needs cl_khr_fp16a:6 k 1 global "
	  "1,1,1" },
	{ "build options", NULL,
	  CONFIG("build_options: -D A=1 \\\n   -DB"),
	  "options \"-D A=1 -DB\" a:6 k 1 global 1,1,1" },
	{ "build options with a backslash", NULL,
	  CONFIG("build_options: -DX=\\\\a -DY"),
	  "options \"-DX=\\\\a -DY\" a:5 k 1 global 1,1,1" },
	{ "images", NULL,
	  CONFIG("need_image_support: 1"),
	  "images a:5 k 1 global 1,1,1" },
	{ "offset", NULL,
	  CONFIG("global_offset: 1 2 3"),
	  "a:5 k 1 global 1,1,1 offset 1,2,3" },
	{ "no offset", NULL,
	  CONFIG("global_offset: NULL"),
	  "a:5 k 1 global 1,1,1" },
	{ "kernel's own key", NULL,
	  CONFIG_ONLY("kernel_name: _k2"),
	  "a:4 _k2 1 global 1,1,1" },
	{ "test that fails", NULL,
	  CONFIG("expect_test_fail: TRUE"),
	  "a:5 k 1 global 1,1,1 fails" },
	{ "timeout", NULL,
	  CONFIG("timeout: 500ms"),
	  "a:5 k 1 global 1,1,1 timeout 500" },
	{ "timeout in seconds", NULL,
	  CONFIG("timeout: 2"),
	  "a:5 k 1 global 1,1,1 timeout 2000" },
	{ "repeat", NULL,
	  CONFIG("repeat: 0x10"),
	  "a:5 k 1 global 1,1,1 repeat 16" },
	{ "no guard", NULL,
	  CONFIG("guard: 0"),
	  "a:5 k 1 global 1,1,1 guard 0" },
	{ "guard", NULL,
	  CONFIG("guard: 4KiB"),
	  "a:5 k 1 global 1,1,1 guard 4096" },
	{ "fault", NULL,
	  CONFIG("expect_fault: clw-gpu-crash"),
	  "a:5 k 1 global 1,1,1 fault clw-gpu-crash" },
	{ "xfail", NULL,
	  CONFIG("xfail: bug 7, see (x): y"),
	  "a:5 k 1 global 1,1,1 xfail \"bug 7, see (x): y\"" },
	{ "xfail_driver", NULL,
	  CONFIG("xfail: bug 7\nxfail_driver: ^rusticl, driver 22[.]"),
	  "a:6 k 1 global 1,1,1 xfail \"bug 7\" on \"^rusticl, driver 22[.]\"" },
	{ "tags", NULL,
	  CONFIG("tags: fast a-b c.d"),
	  "a:5 k 1 global 1,1,1 tag fast tag a-b tag c.d" },
	{ "finding with a space", NULL,
	  CONFIG("expect_finding: invalid-write global"),
	  "a:5 k 1 global 1,1,1 expect invalid-write global" },
	{ "finding with a line", NULL,
	  CONFIG("allow_finding: race 12"),
	  "a:5 k 1 global 1,1,1 allow race 12" },
	{ "finding with both", NULL,
	  CONFIG("expect_finding: array-index private 7\n"
	  "expect_finding: invalid-read"),
	  "a:6 k 1 global 1,1,1 expect array-index private 7 expect "
	  "invalid-read" },
	{ "assumptions", NULL,
	  CONFIG("assume: n <= len(a)\nassume: global_size % 16 == 0"),
	  "a:6 k 1 global 1,1,1" },
	{ "one dimension", NULL,
	  CONFIG("global_size: 64"),
	  "a:5 k 1 global 64,0,0" },
	{ "two dimensions", NULL,
	  CONFIG("global_size: 64 2\nlocal_size: 8 2"),
	  "a:6 k 2 global 64,2,0 local 8,2,0" },
	{ "three numbers are one dimension", NULL,
	  CONFIG("global_size: 8 8 8"),
	  "a:5 k 1 global 8,8,8" },
	{ "three dimensions", NULL,
	  CONFIG("dimensions: 3\nglobal_size: 8 4 2\nlocal_size: 8 4 2"),
	  "a:7 k 3 global 8,4,2 local 8,4,2" },
	{ "local of zeroes", NULL,
	  CONFIG("global_size: 4 0 0\nlocal_size: 4 0 0"),
	  "a:6 k 1 global 4,0,0 local 4,0,0" },
	{ "upper-case null", NULL,
	  CONFIG("local_size: NULL"),
	  "a:5 k 1 global 1,1,1" },
	{ "value", NULL,
	  TEST("arg_in: 0 int -5"),
	  "a:4 k 1 global 1,1,1; in 0 value int1[1] 4 fbffffff" },
	{ "vector", NULL,
	  TEST("arg_in: 3 float4 1 2 3 4"),
	  "a:4 k 1 global 1,1,1; in 3 value float4[1] 16 "
	  "0000803f000000400000404000008040" },
	{ "vector of three", NULL,
	  TEST("arg_in: 0 uchar3 1 2 3"),
	  "a:4 k 1 global 1,1,1; in 0 value uchar3[1] 4 01020300" },
	{ "vector of 16", NULL,
	  TEST("arg_in: 0 char16 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 -16"),
	  "a:4 k 1 global 1,1,1; in 0 value char16[1] 16 "
	  "0102030405060708090a0b0c0d0e0ff0" },
	{ "signed limits", NULL,
	  TEST("arg_in: 0 buffer char[4] -128 127 0xff 200"),
	  "a:4 k 1 global 1,1,1; in 0 buffer char1[4] 4 807fffc8" },
	{ "unsigned limits", NULL,
	  TEST("arg_in: 0 buffer ushort[3] 0 65535 0Xffff"),
	  "a:4 k 1 global 1,1,1; in 0 buffer ushort1[3] 6 0000ffffffff" },
	{ "limits of long", NULL,
	  TEST("arg_in: 0 buffer long[3] -9223372036854775808 9223372036854775807 "
	  "18446744073709551615"),
	  "a:4 k 1 global 1,1,1; in 0 buffer long1[3] 24 "
	  "0000000000000080ffffffffffffff7fffffffffffffffff" },
	{ "limit of ulong", NULL,
	  TEST("arg_in: 0 ulong 18446744073709551615"),
	  "a:4 k 1 global 1,1,1; in 0 value ulong1[1] 8 ffffffffffffffff" },
	{ "plus signs", NULL,
	  TEST("arg_in: 0 buffer int[2] +5 +0x5"),
	  "a:4 k 1 global 1,1,1; in 0 buffer int1[2] 8 0500000005000000" },
	{ "negative hexadecimal", NULL,
	  TEST("arg_in: 0 int -0x10"),
	  "a:4 k 1 global 1,1,1; in 0 value int1[1] 4 f0ffffff" },
	{ "words as numbers", NULL,
	  TEST("arg_in: 0 buffer uint[3] true FALSE -0"),
	  "a:4 k 1 global 1,1,1; in 0 buffer uint1[3] 12 "
	  "010000000000000000000000" },
	{ "words as floats", NULL,
	  TEST("arg_in: 0 buffer float[4] true false nan -INF"),
	  "a:4 k 1 global 1,1,1; in 0 buffer float1[4] 16 "
	  "0000803f000000000000c07f000080ff" },
	{ "float spellings", NULL,
	  TEST("arg_in: 0 buffer float[4] .5 -1e-3 0x1.8p3 +Infinity"),
	  "a:4 k 1 global 1,1,1; in 0 buffer float1[4] 16 "
	  "0000003f6f1283ba000040410000807f" },
	{ "double", NULL,
	  TEST("arg_in: 0 double 0.1"),
	  "a:4 k 1 global 1,1,1; in 0 value double1[1] 8 9a9999999999b93f" },
	{ "half", NULL,
	  TEST("arg_in: 0 buffer half[8] 1 -2 65504 6.1e-5 5.96e-8 inf nan 0.1"),
	  "a:4 k 1 global 1,1,1; in 0 buffer half1[8] 16 "
	  "003c00c0ff7bff030100007c007e662e" },
	{ "half of three", NULL,
	  TEST("arg_in: 0 buffer half3[1] 1 2 3"),
	  "a:4 k 1 global 1,1,1; in 0 buffer half3[1] 8 003c004000420000" },
	{ "buffer of three", NULL,
	  TEST("arg_in: 0 buffer int3[2] 1 2 3 4 5 6"),
	  "a:4 k 1 global 1,1,1; in 0 buffer int3[2] 32 "
	  "0100000002000000030000000000000004000000050000000600000000000000" },
	{ "repeat one", NULL,
	  TEST("arg_in: 0 buffer int[4] repeat 7"),
	  "a:4 k 1 global 1,1,1; in 0 buffer int1[4] 16 "
	  "07000000070000000700000007000000" },
	{ "repeat over vectors", NULL,
	  TEST("arg_in: 0 buffer float2[2] REPEAT 1 2 3"),
	  "a:4 k 1 global 1,1,1; in 0 buffer float2[2] 16 "
	  "0000803f00000040000040400000803f" },
	{ "repeat over three", NULL,
	  TEST("arg_in: 0 buffer char3[2] repeat 1 2"),
	  "a:4 k 1 global 1,1,1; in 0 buffer char3[2] 8 0102010002010200" },
	{ "repeat more than there is room for", NULL,
	  TEST("arg_in: 0 buffer int[2] repeat 1 2 3"),
	  "a:4 k 1 global 1,1,1; in 0 buffer int1[2] 8 0100000002000000" },
	{ "repeat four over three", NULL,
	  TEST("arg_in: 0 buffer uchar3[5] repeat 1 2 3 4"),
	  "a:4 k 1 global 1,1,1; in 0 buffer uchar3[5] 20 "
	  "0102030004010200030401000203040001020300" },
	{ "repeat over a long buffer", NULL,
	  TEST("arg_in: 0 buffer uchar[19] repeat 1 2 3"),
	  "a:4 k 1 global 1,1,1; in 0 buffer uchar1[19] 19 "
	  "01020301020301020301020301020301020301" },
	{ "repeat zeros", NULL,
	  TEST("arg_in: 0 buffer short3[2] repeat 0"),
	  "a:4 k 1 global 1,1,1; in 0 buffer short3[2] 16 "
	  "00000000000000000000000000000000" },
	{ "random", NULL,
	  TEST("arg_in: 0 buffer float[64] random"),
	  "a:4 k 1 global 1,1,1; in 0 buffer float1[64] 256 random" },
	{ "null", NULL,
	  TEST("arg_in: 0 buffer float[64] NULL"),
	  "a:4 k 1 global 1,1,1; in 0 buffer float1[64] 256 null" },
	{ "undefined", NULL,
	  TEST("arg_in: 0 buffer float[64] undefined"),
	  "a:4 k 1 global 1,1,1; in 0 buffer float1[64] 256 undefined" },
	{ "a large buffer without values", NULL,
	  TEST("arg_in: 0 buffer float[4000000000] random"),
	  "a:4 k 1 global 1,1,1; in 0 buffer float1[4000000000] 16000000000 "
	  "random" },
	{ "continued", NULL,
	  TEST("arg_in: 0 buffer int[4] 1 2 \\ # one\n   3\\\n4"),
	  "a:4 k 1 global 1,1,1; in 0 buffer int1[4] 16 "
	  "01000000020000000300000004000000" },
	{ "comma-free comment end", NULL,
	  TEST("arg_in: 0 buffer int[1] 1 \\\n\narg_in: 1 int 2"),
	  "a:4 k 1 global 1,1,1; in 0 buffer int1[1] 4 01000000; in 1 value "
	  "int1[1] 4 02000000" },
	{ "local", NULL,
	  TEST("arg_in: 2 local float4[16]"),
	  "a:4 k 1 global 1,1,1; in 2 local float4[16] 256 undefined" },
	{ "local as piglit writes it", NULL,
	  TEST("arg_in: 2 int4 NULL"),
	  "a:4 k 1 global 1,1,1; in 2 local int4[1] 16 undefined" },
	{ "tolerance", NULL,
	  TEST("arg_out: 0 buffer float[1] 1 tolerance 0.5"),
	  "a:4 k 1 global 1,1,1; out 0 buffer float1[1] 4 0000803f +-0.5" },
	{ "tolerance in ulp", NULL,
	  TEST("arg_out: 0 buffer double[1] 1 tolerance 4 ulp"),
	  "a:4 k 1 global 1,1,1; out 0 buffer double1[1] 8 000000000000f03f "
	  "+-4ulp" },
	{ "tolerance of integers", NULL,
	  TEST("arg_out: 0 buffer int[1] 1 tolerance 2"),
	  "a:4 k 1 global 1,1,1; out 0 buffer int1[1] 4 01000000 +-2" },
	{ "in and out", NULL,
	  TEST("arg_out: 0 buffer uchar[8] 1 2 3 4 5 6 7 8\n"
	  "arg_in: 0 buffer uint[2] 1 2"),
	  "a:4 k 1 global 1,1,1; in 0 buffer uint1[2] 8 0100000002000000; "
	  "out 0 buffer uchar1[8] 8 0102030405060708" },
	{ "guard of a buffer", NULL,
	  TEST("arg_in: 0 buffer int[1] 1 guard 1KiB"),
	  "a:4 k 1 global 1,1,1; in 0 buffer int1[1] 4 01000000 guard 1024" },
	{ "sub-buffer", NULL,
	  TEST("arg_in: 0 buffer int[1] 1 offset 128"),
	  "a:4 k 1 global 1,1,1; in 0 buffer int1[1] 4 01000000 offset 128" },
	{ "alias", NULL,
	  TEST("arg_in: 0 buffer int[4] 1 2 3 4\n"
	  "arg_out: 1 buffer int[2] 3 4 alias 0 offset 8"),
	  "a:4 k 1 global 1,1,1; in 0 buffer int1[4] 16 "
	  "01000000020000000300000004000000; out 1 buffer int1[2] 8 "
	  "0300000004000000 offset 8 alias 0" },
	{ "freed", NULL,
	  TEST("arg_in: 0 buffer int[4] undefined freed"),
	  "a:4 k 1 global 1,1,1; in 0 buffer int1[4] 16 undefined freed" },
	{ "flags", NULL,
	  TEST("arg_in: 0 buffer int[4] undefined read_only use_host_ptr"),
	  "a:4 k 1 global 1,1,1; in 0 buffer int1[4] 16 undefined flags 0xc" },
	{ "options of arg_in hold for arg_out", NULL,
	  TEST("arg_in: 0 buffer int[1] 1 guard 64 copy_host_ptr\n"
	  "arg_out: 0 buffer int[1] 1"),
	  "a:4 k 1 global 1,1,1; in 0 buffer int1[1] 4 01000000 guard 64 "
	  "flags 0x20; out 0 buffer int1[1] 4 01000000 guard 64 flags 0x20" },
	{ "image", NULL,
	  TEST("arg_in: 1 image uchar4 1 2 3 4 5 6 7 8 image_type 2d image_width "
	  "2 image_height 1 image_channel_order RGBA image_channel_data_type "
	  "UNSIGNED_INT8"),
	  "images a:4 k 1 global 1,1,1; in 1 image uchar4[2] 8 "
	  "0102030405060708 2x1 0x10b5 0x10da" },
	{ "image in another order", NULL,
	  TEST("arg_out: 1 image float repeat 0.5 image_channel_data_type float "
	  "image_channel_order r image_height 2 image_width 2 image_type 2D "
	  "tolerance 0.1"),
	  "images a:4 k 1 global 1,1,1; out 1 image float1[4] 16 "
	  "0000003f0000003f0000003f0000003f 2x2 0x10b0 0x10de +-0.1" },
	{ "packed image", NULL,
	  TEST("arg_in: 1 image ushort random image_type 2d image_width 4 "
	  "image_height 4 image_channel_order RGB image_channel_data_type "
	  "UNORM_SHORT_565"),
	  "images a:4 k 1 global 1,1,1; in 1 image ushort1[16] 32 random 4x4 "
	  "0x10b4 0x10d4" },
	{ "sampler", NULL,
	  TEST("arg_in: 2 sampler normalized_coords 0 addressing_mode NONE "
	  "filter_mode NEAREST"),
	  "a:4 k 1 global 1,1,1; in 2 sampler 0 0x1130 0x1140" },
	{ "sampler continued", NULL,
	  TEST("arg_in: 2 sampler filter_mode linear \\\n"
	  " addressing_mode mirrored_repeat \\\n"
	  " normalized_coords true"),
	  "a:4 k 1 global 1,1,1; in 2 sampler 1 0x1134 0x1141" },
	{ "piglit's numbers lose their high bits", "a.cl",
	  TEST("arg_in: 0 buffer uchar[2] 0xdead 55198"),
	  "a:4 k 1 global 1,1,1; in 0 buffer uchar1[2] 2 ad9e" },
	{ "piglit's halves overflow", "a.cl",
	  TEST("arg_in: 0 half 0xdeadp1"),
	  "a:4 k 1 global 1,1,1; in 0 value half1[1] 2 007c" },
};

#endif
