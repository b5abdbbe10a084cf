# SPDX-License-Identifier: Apache-2.0
#compdef openclaw clw-info clw-profile openclaw-crash-analyze
# made by "openclaw completion zsh"
_openclaw()
{
	local program=${(Q)words[1]} line word help skip=0
	local -a given whole whole_shown open open_shown
	given=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
	if [[ ${program:t} != openclaw ]]; then
		given=("${${${program:t}#openclaw-}#clw-}" "${given[@]}")
		program=openclaw
		skip=1
	fi
	for line in "${(@f)$("$program" __complete -- "${given[@]}" 2>/dev/null)}"; do
		case $line in
		'') ;;
		:files|:directories)
			[[ $PREFIX == --*=* ]] && compset -P '*='
			if [[ $line == :files ]]; then
				_files
			else
				_files -/
			fi ;;
		:command*)
			shift $(( ${line#* } + 1 - skip )) words
			(( CURRENT -= ${line#* } + 1 - skip ))
			_normal
			return ;;
		*)
			word=${line%%$'\t'*}
			help=${line#"$word"}
			help="$word${help:+  -- ${help#$'\t'}}"
			if [[ $word == *[=:,] ]]; then
				open+=("$word")
				open_shown+=("$help")
			else
				whole+=("$word")
				whole_shown+=("$help")
			fi ;;
		esac
	done
	# What goes on has no blank behind it.
	(( ${#open} )) && compadd -l -d open_shown -S '' -- "${open[@]}"
	(( ${#whole} )) && compadd -l -d whole_shown -- "${whole[@]}"
}
_openclaw "$@"
