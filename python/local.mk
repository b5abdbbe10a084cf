# pyopenclaw: the package, and what importlib.metadata and pytest find it by.
# python/ of the build tree is for PYTHONPATH.
py_modules = $(call files,python/pyopenclaw/*.py)
pyopenclawdir = $(pythondir)/pyopenclaw
dist_pyopenclaw_DATA = $(py_modules)
pyinfo = python/pyopenclaw-$(VERSION).dist-info
pyinfodir = $(pythondir)/pyopenclaw-$(VERSION).dist-info
nodist_pyinfo_DATA = $(pyinfo)/METADATA $(pyinfo)/entry_points.txt
$(pyinfo)/METADATA: python/pyproject.toml
	$(AM_V_GEN)$(MKDIR_P) $(@D) && printf '%s\n' 'Metadata-Version: 2.1' \
		'Name: pyopenclaw' 'Version: $(VERSION)' >$@
$(pyinfo)/entry_points.txt: python/pyproject.toml
	$(AM_V_GEN)$(MKDIR_P) $(@D) && printf '%s\n' '[pytest11]' \
		'openclaw = pyopenclaw.pytest_plugin' >$@
CLEANFILES += $(nodist_pyinfo_DATA)
