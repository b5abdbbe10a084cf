# pyopenclaw, the pytest plugin, and what importlib.metadata and pytest find them
# by. python/ of the build tree is for PYTHONPATH.
py_packages = python/pyopenclaw python/pytest_openclaw
if HOST
pyopenclawdir = $(pythondir)/pyopenclaw
pyopenclaw_DATA = $(call files,python/pyopenclaw/*.py)
pytest_openclawdir = $(pythondir)/pytest_openclaw
pytest_openclaw_DATA = $(call files,python/pytest_openclaw/*.py)
pyinfo = python/pyopenclaw-$(VERSION).dist-info
pyinfodir = $(pythondir)/pyopenclaw-$(VERSION).dist-info
nodist_pyinfo_DATA = $(pyinfo)/METADATA $(pyinfo)/entry_points.txt
endif
$(pyinfo)/METADATA: python/pyproject.toml
	$(AM_V_GEN)$(MKDIR_P) $(@D) && printf '%s\n' 'Metadata-Version: 2.1' \
		'Name: pyopenclaw' 'Version: $(VERSION)' >$@
$(pyinfo)/entry_points.txt: python/pyproject.toml
	$(AM_V_GEN)$(MKDIR_P) $(@D) && printf '%s\n' '[pytest11]' \
		'openclaw = pytest_openclaw.plugin' >$@
CLEANFILES += $(nodist_pyinfo_DATA)
