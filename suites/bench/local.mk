# What the layer, guard zones, capture, probes and soaks cost.
EXTRA_PROGRAMS += suites/bench/bench_history suites/bench/bench_kernels
suites_bench_bench_kernels_SOURCES = suites/bench/bench_kernels.c \
	suites/bench/bench_arguments.c
suites_bench_bench_kernels_CFLAGS = $(plain_cflags)
suites_bench_bench_kernels_LDADD = $(OPENCL_LIBS)
bench_programs = suites/bench/bench_calls suites/bench/bench_capture \
	suites/bench/bench_meters
bench_layers = suites/bench/null_layer.so suites/bench/any_device.so
$(bench_programs): %: %.c
	$(plain_program)
$(bench_layers): %.so: %.c suites/bench/layer.h
	$(plain_shared) $< -fvisibility=hidden
CLEANFILES += $(bench_programs) $(bench_layers)
bench_run = $(SHELL) $(srcdir)/suites/bench

# In ns a call.
bench: libopenclaw-layer.so suites/bench/bench_calls $(bench_layers) \
		suites/self/driver/stub_icd.so
	$(bench_run)/bench.sh $(abs_builddir)/libopenclaw-layer.so \
		$(abs_builddir)/suites/bench/null_layer.so \
		$(abs_builddir)/suites/bench/bench_calls \
		$(abs_builddir)/suites/self/driver/stub_icd.so

# The same with many objects, queues, kernels and threads, and bytes an object.
# make bench-scale ROUNDS=3 CASES='queues=16,10000'
CASES =
bench-scale: openclaw libopenclaw-layer.so suites/bench/bench_calls \
		suites/self/driver/stub_icd.so
	@$(bench_run)/scale.sh ./openclaw $(abs_builddir)/libopenclaw-layer.so \
		suites/bench/bench_calls \
		$(abs_builddir)/suites/self/driver/stub_icd.so $(ROUNDS) $(CASES)

# What each mode costs any programs; takes minutes.
# make bench-programs ROUNDS=5 COMMANDS="'clpeak --kernel-latency' ./mine"
bench-programs: all
	@$(bench_run)/programs.sh ./openclaw \
		$(abs_builddir)/libopenclaw-layer.so $(ROUNDS) $(COMMANDS)

# Beside other layers: make bench-peers PEERS='/path/libLayer.so...' ROUNDS=5
PEERS =
bench-peers: openclaw libopenclaw-layer.so suites/bench/bench_calls
	$(bench_run)/peers.sh $(abs_builddir)/openclaw \
		$(abs_builddir)/libopenclaw-layer.so \
		$(abs_builddir)/suites/bench/bench_calls $(ROUNDS) $(PEERS)

# The same in instructions, on the stub driver: other load changes nothing.
bench-instructions: openclaw libopenclaw-layer.so suites/bench/bench_calls \
		suites/self/driver/stub_icd.so
	@$(bench_run)/instructions.sh ./openclaw suites/bench/bench_calls \
		suites/self/driver/stub_icd.so $(PEERS)

# What guard zones cost whole programs; takes minutes.
# make bench-guards ROUNDS=5 WORKLOADS='clw_* x264_*'
ROUNDS = 5
bench-guards: libopenclaw-layer.so openclaw-kernel $(bench_layers)
	$(bench_run)/guards.sh $(abs_builddir)/libopenclaw-layer.so \
		$(abs_builddir)/openclaw-kernel $(srcdir)/kernels \
		$(abs_builddir)/suites/bench/any_device.so \
		$(ROUNDS) $(WORKLOADS)

# What capture costs a large program; takes minutes, and 5 GiB of memory.
# make bench-meters ROUNDS=30
bench-meters: libopenclaw-layer.so suites/bench/bench_meters \
		suites/self/helpers/meter_dump
	$(bench_run)/meters.sh $(abs_builddir)/libopenclaw-layer.so \
		$(abs_builddir)/suites/bench/bench_meters \
		$(abs_builddir)/suites/self/helpers/meter_dump $(ROUNDS)

# What "openclaw run" costs a program; takes minutes.
bench-soak: openclaw libopenclaw-layer.so suites/bench/bench_meters
	$(bench_run)/soak.sh $(abs_builddir)/openclaw \
		$(abs_builddir)/suites/bench/bench_meters

bench-capture: openclaw libopenclaw-layer.so suites/bench/bench_capture
	$(bench_run)/capture.sh $(abs_builddir)/openclaw \
		$(abs_builddir)/suites/bench/bench_capture

# What probes in kernels cost, over suites/bench/kernels and any directories:
# make bench-kernels BENCH_KERNELS='DIRECTORY...' ROUNDS=5 PART=0
BENCH_KERNELS =
bench-kernels: all suites/bench/bench_kernels
	@$(bench_run)/kernels.sh ./openclaw suites/bench/bench_kernels \
		$(srcdir)/suites/bench/kernels $(BENCH_KERNELS)

# How early sweeps of suites/sweep have their findings, and how many points a
# minute; takes minutes. make bench-sweep SWEPT='unchecked_buffer ...'
SWEPT =
bench-sweep: openclaw libopenclaw-layer.so $(sweep_built)
	$(srcdir)/maint/sweep-curve --run . bench-sweep.dir $(SWEPT)

# How fast results go into a history, and how long questions take; takes
# minutes, and 1 GiB of disk. make bench-history RESULTS=1000000
RESULTS = 10000000
bench-history: openclaw suites/bench/bench_history
	@$(bench_run)/history.sh ./openclaw suites/bench/bench_history \
		$(RESULTS)
.PHONY: bench bench-capture bench-guards bench-history bench-instructions bench-kernels \
	bench-meters bench-peers bench-programs bench-scale bench-soak bench-sweep
