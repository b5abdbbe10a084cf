# SPDX-License-Identifier: Apache-2.0
# fish completion for openclaw, made by "openclaw completion fish"
function __openclaw_ask
	set -l words (commandline -opc) (commandline -ct)
	set -l program $words[1]
	set -l name (string replace -r '.*/' '' -- $program)
	set -e words[1]
	set -l skip 1
	if test "$name" != openclaw
		set program openclaw
		set words (string replace -r '^(openclaw|clw)-' '' -- $name) $words
		set skip 0
	end
	for line in ($program __complete -- $words 2>/dev/null)
		switch $line
			case ':command*'
				__fish_complete_subcommand --fcs-skip=(math (string replace ':command ' '' -- $line) + $skip)
			case '*'
				echo $line
		end
	end
end
function __openclaw_files
	__openclaw_ask | string match -q -r '^:(files|directories)$'
end
function __openclaw_words
	__openclaw_ask | string match -v -r '^:'
end
for name in openclaw clw-info clw-profile openclaw-crash-analyze
	complete -c $name -f -a '(__openclaw_words)'
	complete -c $name -F -n __openclaw_files
end
