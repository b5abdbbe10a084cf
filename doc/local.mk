if HOST
# Documents, and what is made with the program: manual pages and completion.
doc_DATA = $(call files,doc/*.md) README.md NEWS
# Where README.md, which is installed beside them, has it.
imagesdir = $(docdir)/doc/images
images_DATA = $(call files,doc/images/*.png)
doc_more = doc/images/* doc/driver-report/* doc/examples/* doc/examples/*/* doc/examples/*/*/*

# The documents name them as doc/examples/.
install-data-local:
	(cd $(srcdir)/doc && find examples driver-report -type f) | while read -r file; do \
		$(MKDIR_P) "$(DESTDIR)$(docdir)/$${file%/*}" && \
		$(INSTALL_DATA) "$(srcdir)/doc/$$file" \
			"$(DESTDIR)$(docdir)/$$file" || exit 1; done
uninstall-local:
	rm -rf "$(DESTDIR)$(docdir)/examples" \
		"$(DESTDIR)$(docdir)/driver-report"
endif

# Commands that have a page of their own, as "openclaw __man list" has them;
# frame.test compares. doc/openclaw-<command>.man, where there is one, has the
# sections that are not made from the tables.
commands = $(subst _,-,$(filter-out kernels query take man complete,$(shell sed -n \
	's/^COMMAND(\(.*\))$$/\1/p' $(srcdir)/harness/main/commands.def)))

# A program for another machine cannot write them.
if HOST
if !CROSS
man1_MANS = man/openclaw.1 $(commands:%=man/openclaw-%.1) \
	$(patsubst %,man/%.1,$(filter clw-%,$(programs_too)))
man3_MANS = man/libclw.3
man5_MANS = man/openclaw.yaml.5 man/openclaw-clw.5 man/openclaw-model.5 \
	man/openclaw-suite.5
man7_MANS = man/openclaw-batch.7 man/openclaw-environment.7 man/openclaw-exit-status.7 \
	man/openclaw-faults.7
bashcompletion_DATA = completion/openclaw
zshcompletiondir = $(datadir)/zsh/site-functions
zshcompletion_DATA = completion/_openclaw
fishcompletiondir = $(datadir)/fish/vendor_completions.d
fishcompletion_DATA = completion/openclaw.fish
endif
endif
CLEANFILES += $(man1_MANS) $(man3_MANS) $(man5_MANS) $(man7_MANS) $(bashcompletion_DATA) \
	$(zshcompletion_DATA) $(fishcompletion_DATA)

write_page = $(AM_V_GEN)$(MKDIR_P) $(@D) && { \
	echo '.\" Made by openclaw __man; change doc/ or the option tables.'; \
	./openclaw __man
finish_page = ; } >$@.tmp && mv $@.tmp $@

man/openclaw.1: doc/openclaw.1.in openclaw
	$(write_page) page openclaw 1 $(srcdir)/doc/openclaw.1.in $(finish_page)
man/openclaw.yaml.5: doc/openclaw.yaml.5.in openclaw
	$(write_page) page openclaw.yaml 5 $(srcdir)/doc/openclaw.yaml.5.in \
	$(finish_page)
man/libclw.3: doc/libclw.3.in openclaw
	$(write_page) page libclw 3 $(srcdir)/doc/libclw.3.in $(finish_page)
man/openclaw-%.7: $(srcdir)/doc/openclaw-%.7.in openclaw
	$(write_page) page openclaw-$* 7 $< $(finish_page)
man/openclaw-%.1: openclaw $(call files,doc/*.man)
	$(write_page) command $* \
	$$(ls $(srcdir)/doc/openclaw-$*.man 2>/dev/null) $(finish_page)
man/clw-%.1: openclaw
	$(write_page) program clw-$* $(finish_page)

# Made from the document that has the format: of a suite's, what a user needs.
man/openclaw-clw.5: doc/clw-format.md
man/openclaw-model.5: doc/device-model.md
man/openclaw-suite.5: doc/HOWTO-add-a-suite.md
see_clw = openclaw-test(1) openclaw-init(1) openclaw-suite(5)
see_model = openclaw-info(1) openclaw-inject(1) openclaw-faults(7)
see_suite = openclaw-test(1) openclaw-clw(5) openclaw.yaml(5) openclaw-faults(7)
man/openclaw-%.5: doc/markdown.awk openclaw
	$(AM_V_at)$(MKDIR_P) man && $(SED) '/^## A suite program of/,$$d' \
		$(srcdir)/$(filter %.md,$(^:$(srcdir)/%=%)) | \
		$(AWK) -v name=openclaw-$* -v see='$(see_$*)' \
		-f $(srcdir)/doc/markdown.awk >$@.in
	$(write_page) page openclaw-$* 5 $@.in $(finish_page)
	$(AM_V_at)rm -f $@.in

# The manual as a site, with the documents that "make install" puts into doc/.
manual = $(man1_MANS) $(man3_MANS) $(man5_MANS) $(man7_MANS)
html-local: $(manual)
	$(AM_V_GEN)AWK='$(AWK)' sh $(srcdir)/doc/site.sh html $(manual) \
		$(addprefix $(srcdir)/,$(doc_DATA))
install-html-local: html-local
	$(MKDIR_P) '$(DESTDIR)$(htmldir)/html'
	$(INSTALL_DATA) html/* '$(DESTDIR)$(htmldir)/html/'

completion/openclaw: openclaw
	$(AM_V_GEN)$(MKDIR_P) completion && ./openclaw completion bash >$@.part && \
	mv $@.part $@
completion/_openclaw: openclaw
	$(AM_V_GEN)$(MKDIR_P) completion && ./openclaw completion zsh >$@.part && \
	mv $@.part $@
completion/openclaw.fish: openclaw
	$(AM_V_GEN)$(MKDIR_P) completion && ./openclaw completion fish >$@.part && \
	mv $@.part $@
