/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Read each process's ledger with its journal. The ledger first: whatever it
 * names is in the journal by then.
 */
#include "config.h"

#include "leak_scan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "harness/evidence/gap.h"
#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/base/text_list.h"

static void note_gaps(struct claw_leak_scan *scan,
		      const struct claw_ledger *ledger)
{
	if (ledger->dropped > 0)
		claw_gap_add(&scan->gap, "no space to store %" PRIu64 " "
			     "object%s of process %u", ledger->dropped,
			     ledger->dropped == 1 ? "" : "s", ledger->pid);
	if (ledger->damaged > 0)
		claw_gap_add(&scan->gap, "cannot read %" PRIu64 " part%s of "
			     "the ledger of process %u", ledger->damaged,
			     ledger->damaged == 1 ? "" : "s", ledger->pid);
}

static void add_process(struct claw_leak_scan *scan,
			const struct claw_ledger *ledger,
			const struct claw_journal *journal)
{
	uint32_t exe = claw_journal_get_header(journal)->exe_string;
	struct claw_leak_process process = {
		.pid = ledger->pid, .forked = ledger->forked,
		.made = ledger->created,
		.exe = claw_strdup(claw_base_name(
			claw_journal_get_string(journal, exe))),
	};

	for (size_t i = 0; i < ledger->count; i++)
		process.alive += ledger->entries[i].references > 0;
	scan->made += process.made;
	scan->alive += process.alive;
	scan->processes = claw_one_more(scan->processes, scan->process_count,
					sizeof(*scan->processes));
	scan->processes[scan->process_count++] = process;
}

static int scan_ledger(struct claw_leak_scan *scan, const char *path,
		       struct claw_symbolizer *symbolizer)
{
	char *journal_path = claw_session_sibling(path, "journal");
	struct claw_journal *journal = NULL;
	struct claw_ledger ledger = { .entries = NULL };
	int ret = 0, error = claw_ledger_read(path, &ledger);

	if (error < 0) {
		claw_gap_add_unread(&scan->gap, path, error);
		goto out;
	}
	error = claw_journal_read(journal_path, &journal);
	if (error < 0) {
		claw_gap_add_unread(&scan->gap, journal_path, error);
		goto out;
	}
	add_process(scan, &ledger, journal);
	note_gaps(scan, &ledger);
	if (!scan->definite || claw_leaks_may_be_definite(&ledger))
		ret = claw_leaks_add(&scan->leaks, &ledger, journal,
				     symbolizer);
out:
	claw_journal_free(journal);
	claw_ledger_release(&ledger);
	free(journal_path);
	return ret;
}

static int look(const struct claw_session *session, bool definite,
		struct claw_leak_scan *ret_scan)
{
	struct claw_symbolizer *symbolizer = claw_symbolizer_new();
	struct claw_leak_scan scan = { .definite = definite };
	char **journals = NULL, **ledgers = NULL;
	size_t journal_count = 0, ledger_count = 0;
	/* A process that begins meanwhile has its journal first. */
	int ret = claw_session_journals(session, &journals, &journal_count);

	if (ret == 0)
		ret = claw_session_ledgers(session, &ledgers, &ledger_count);
	for (size_t i = 0; ret == 0 && i < journal_count; i++)
		claw_gap_check_sibling(&scan.gap, journals[i], "ledger",
				       ledgers, ledger_count, "",
				       " has no ledger");
	for (size_t i = 0; ret == 0 && i < ledger_count; i++)
		ret = scan_ledger(&scan, ledgers[i], symbolizer);
	claw_leaks_sort(&scan.leaks);
	claw_list_free(journals);
	claw_list_free(ledgers);
	claw_symbolizer_free(symbolizer);
	if (ret < 0)
		claw_leak_scan_release(&scan);
	else
		*ret_scan = scan;
	return ret;
}

int claw_leak_scan(const struct claw_session *session,
		   struct claw_leak_scan *ret_scan)
{
	return look(session, false, ret_scan);
}

int claw_leak_scan_definite(const struct claw_session *session,
			    struct claw_leak_scan *ret_scan)
{
	return look(session, true, ret_scan);
}

void claw_leak_scan_release(struct claw_leak_scan *scan)
{
	for (size_t i = 0; i < scan->process_count; i++)
		free(scan->processes[i].exe);
	free(scan->processes);
	free(scan->gap);
	claw_leaks_release(&scan->leaks);
	*scan = (struct claw_leak_scan) { .gap = NULL };
}

const struct claw_leak_process *
claw_leak_scan_find(const struct claw_leak_scan *scan, uint32_t pid)
{
	for (size_t i = 0; i < scan->process_count; i++)
		if (scan->processes[i].pid == pid)
			return &scan->processes[i];
	return NULL;
}
