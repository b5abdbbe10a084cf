# SPDX-License-Identifier: Apache-2.0
# From the Markdown of doc/*.md to the body of a manual page: headings,
# paragraphs, lists, tables and text that is indented or fenced.
#
# -v name=PAGE: its title becomes the section NAME. -v see='PAGE(N) ...': the
# section SEE ALSO.
# With -v tables=1 a table of three columns or more is one of tbl (for HTML);
# otherwise each row is an item: the first cell, the last, the others behind
# the names of their columns.

function escape(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	gsub(/\^/, "\\(ha", text)
	gsub(/~/, "\\(ti", text)
	return text
}

# Words of a text: `code` and **strong** are bold, links have their address
# behind them.
function inline(text,	parts, count, i, out, label, address)
{
	while (match(text, /\[[^]]*\]\([^)]*\)/)) {
		label = address = substr(text, RSTART, RLENGTH)
		sub(/^\[/, "", label)
		sub(/\]\(.*/, "", label)
		sub(/.*\]\(/, "", address)
		sub(/\)$/, "", address)
		text = substr(text, 1, RSTART - 1) label \
			(label == address ? "" : " (" address ")") \
			substr(text, RSTART + RLENGTH)
	}
	count = split(text, parts, /`/)
	for (i = 1; i <= count; i++) {
		parts[i] = escape(parts[i])
		if (i % 2 == 0)
			out = out "\\fB" parts[i] "\\fR"
		else {
			while (match(parts[i], /\*\*[^*]+\*\*/))
				parts[i] = substr(parts[i], 1, RSTART - 1) \
					"\\fB" substr(parts[i], RSTART + 2, \
						      RLENGTH - 4) "\\fR" \
					substr(parts[i], RSTART + RLENGTH)
			out = out parts[i]
		}
	}
	return out
}

function print_line(line)
{
	print (line ~ /^[.']/ ? "\\&" : "") line
}

# In lines of a length that every reader of roff takes.
function fill(text,	words, count, i, line)
{
	count = split(text, words, /[ \t\n]+/)
	for (i = 1; i <= count; i++) {
		if (line != "" && length(line) + length(words[i]) > 77) {
			print_line(line)
			line = ""
		}
		line = line (line == "" ? "" : " ") words[i]
	}
	if (line != "")
		print_line(line)
}

function macro(name)
{
	print name
	fresh = name ~ /^\.(SH|SS|TP|IP)/
}

function start_section()
{
	if (!started)
		macro(".SH DESCRIPTION")
	started = 1
}

function start_paragraph()
{
	start_section()
	if (!fresh)
		print ".PP"
	fresh = 0
}

function end_paragraph()
{
	if (paragraph == "")
		return
	if (item != "") {
		start_section()
		macro(".IP " item)
		fresh = 0
	} else
		start_paragraph()
	fill(inline(paragraph))
	paragraph = item = ""
}

function end_verbatim()
{
	if (!verbatim)
		return
	print ".fi\n.RE"
	verbatim = blank = 0
}

function verbatim_line(text)
{
	if (!verbatim) {
		start_paragraph()
		print ".RS 4\n.nf"
		verbatim = 1
	}
	while (blank-- > 0)
		print ""
	blank = 0
	# Whole characters: a tab is eight columns of a page, too.
	while ((at = index(text, "\t")) > 0)
		text = substr(text, 1, at - 1) \
			substr("        ", (at - 1) % 8 + 1) substr(text, at + 1)
	sub(/ +$/, "", text)
	print_line(escape(text))
}

function split_row(row, cells,	count, i)
{
	gsub(/\\\|/, "\001", row)
	sub(/^ *\| */, "", row)
	sub(/ *\| *$/, "", row)
	count = split(row, cells, / *\| */)
	for (i = 1; i <= count; i++)
		gsub(/\001/, "|", cells[i])
	return count
}

# A cell of tbl.
function cell(text)
{
	print "T{"
	fill(inline(text))
	printf "T}"
}

function print_row(row,	cells, count, i, others)
{
	count = split_row(row, cells)
	if (as_table) {
		for (i = 1; i <= columns; i++) {
			cell(cells[i])
			printf "%s", (i < columns ? "\t" : "\n")
		}
		return
	}
	macro(".TP")
	fill(inline(cells[1]))
	for (i = 2; i < count; i++)
		if (cells[i] != "")
			others = others (others == "" ? "" : "; ") \
				(names[i] == "" ? "" : names[i] ": ") cells[i]
	fill(inline(cells[count] \
		    (others == "" ? "" : " (" others ")")))
	fresh = 0
}

function end_table()
{
	if (in_table && as_table)
		print ".TE"
	in_table = 0
}

# The row of dashes tells that the one before it has the columns' names.
function table_line(row,	i)
{
	if (!in_table) {
		columns = split_row(row, names)
		in_table = 1
		header = row
		return
	}
	if (in_table == 1) {
		in_table = 2
		as_table = tables && columns > 2
		start_section()
		if (as_table) {
			start_paragraph()
			print ".TS"
			for (i = 1; i <= columns; i++)
				printf "%s", (i > 1 ? " lb" : "lb")
			print ""
			for (i = 1; i <= columns; i++)
				printf "%s", (i > 1 ? " l" : "l")
			print "."
			print_row(header)
		}
		return
	}
	print_row(row)
}

/^```/ {
	end_paragraph()
	if (fenced)
		end_verbatim()
	fenced = !fenced
	next
}
fenced { verbatim_line($0); next }
/^<!--.*-->$/ { next }
/^    / && paragraph == "" {
	end_table()
	verbatim_line(substr($0, 5))
	next
}
/^$/ {
	if (verbatim)
		blank++
	end_paragraph()
	end_table()
	next
}
{ end_verbatim() }
/^# / {
	if (name != "") {
		macro(".SH NAME")
		print escape(name) " \\- " inline(tolower(substr($0, 3, 1)) \
						 substr($0, 4))
	}
	next
}
/^## / {
	end_paragraph()
	macro(".SH " inline(toupper(substr($0, 4))))
	started = 1
	next
}
/^###+ / {
	end_paragraph()
	sub(/^#+ /, "")
	macro(".SS " inline($0))
	next
}
/^\|/ { end_paragraph(); table_line($0); next }
/^[-*] / {
	end_paragraph()
	item = "\\(bu 2"
	paragraph = substr($0, 3)
	next
}
/^[0-9]+\. / {
	end_paragraph()
	item = $1 " 4"
	paragraph = substr($0, length($1) + 2)
	next
}
{
	sub(/^ +/, "")
	paragraph = paragraph (paragraph == "" ? "" : " ") $0
}
END {
	end_paragraph()
	end_verbatim()
	end_table()
	count = split(see, pages, " ")
	for (i = 1; i <= count; i++) {
		if (i == 1)
			macro(".SH SEE ALSO")
		page = pages[i]
		sub(/\(.*/, "", page)
		print "\\fB" escape(page) "\\fR" \
			substr(pages[i], length(page) + 1) (i < count ? "," : "")
	}
}
