host_sources += %reldir%/random_expression.c %reldir%/random_kernel.c
