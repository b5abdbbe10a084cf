#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The manual as a site: site.sh DIR FILE..., where each FILE is a manual page or
# a document of doc/ (.md). DIR/index.html lists all of them. AWK may be set.
set -eu
sources=$(dirname "$0")
site=$1
shift
if ! command -v mandoc >/dev/null 2>&1; then
	echo 'make html: cannot find mandoc (Debian: apt install mandoc)' >&2
	exit 1
fi
rm -rf "$site.part"
mkdir -p "$site.part"
cp "$sources/manual.css" "$site.part/"

# The title of a page, without what roff needs.
title_of()
{
	sed -n '/^\.SH NAME/{n;s/.* \\- //;s/\\f[BRI]//g;s/\\\([-e]\)/\1/g;p;q;}' "$1"
}

# Of HTML: names of pages and documents become links.
link_names()
{
	sed -e 's,<b>\(openclaw[a-z.-]*\|libclw\)</b>(\([1357]\)),<a href="\1.\2.html">\1(\2)</a>,g' \
		-e 's,\(<b>\|[ (]\)\(openclaw[a-z.-]*\|clw-[a-z]*\|libclw\)(\([1357]\)),\1<a href="\2.\3.html">\2(\3)</a>,g' \
		-e 's,doc/\([A-Za-z-]*\)\.md,<a href="\1.html">&</a>,g'
}

for file in "$@"; do
	name=$(basename "$file")
	case $name in
	*.md)
		name=${name%.md}
		{
			echo ".TH $name 7 \"\" openclaw Documents"
			"${AWK:-awk}" -v tables=1 -v name="$name" \
				-f "$sources/markdown.awk" "$file"
		} >"$site.part/page"
		;;
	*)
		cp "$file" "$site.part/page"
		;;
	esac
	mandoc -T html -O toc,style=manual.css "$site.part/page" | link_names \
		>"$site.part/$name.html"
	title_of "$site.part/page" >"$site.part/$name.title"
done

# The pages of a section, or the documents.
list()
{
	echo "<h2>$1</h2>"
	echo '<dl>'
	shift
	for file in "$@"; do
		name=$(basename "$file" .md)
		title=$(sed 's/&/\&amp;/g; s/</\&lt;/g' "$site.part/$name.title")
		case $name in
		*.[1357]) label="${name%.?}(${name##*.})" ;;
		*) label=$name ;;
		esac
		echo "<dt><a href=\"$name.html\">$label</a></dt><dd>$title</dd>"
	done
	echo '</dl>'
}

of_kind()
{
	kind=$1
	shift
	for file in "$@"; do
		case $file in
		*.$kind) echo "$file" ;;
		esac
	done | LC_ALL=C sort
}

{
	cat <<-'END'
	<!DOCTYPE html>
	<html lang="en">
	<head>
	<meta charset="utf-8"/>
	<meta name="viewport" content="width=device-width, initial-scale=1"/>
	<title>openclaw: manual</title>
	<link rel="stylesheet" href="manual.css"/>
	</head>
	<body>
	<h1>openclaw: manual</h1>
	END
	list Commands $(of_kind 1 "$@")
	list Library $(of_kind 3 "$@")
	list 'File formats' $(of_kind 5 "$@")
	list Conventions $(of_kind 7 "$@")
	list Documents $(of_kind md "$@")
	echo '</body>'
	echo '</html>'
} >"$site.part/index.html"
rm -f "$site.part"/*.title "$site.part/page"
rm -rf "$site"
mv "$site.part" "$site"
