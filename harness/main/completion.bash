# SPDX-License-Identifier: Apache-2.0
# bash completion for openclaw, made by "openclaw completion bash"
_openclaw()
{
	local line=${COMP_LINE:0:COMP_POINT} program=${COMP_WORDS[0]}
	local breaks=${COMP_WORDBREAKS//[[:space:]]/} name=${COMP_WORDS[0]##*/}
	local current prefix word help i
	local -a words
	# bash's own words end at ":", "=" and "@".
	read -r -a words <<<"$line"
	[[ $line == *[[:space:]] ]] && words+=('')
	current=${words[-1]#[\'\"]}
	words[-1]=$current
	words=("${words[@]:1}")
	if [[ $name != openclaw ]]; then
		name=${name#openclaw-}
		words=("${name#clw-}" "${words[@]}")
		program=openclaw
	fi
	prefix=${current%"${current##*["$breaks"]}"}
	prefix=${prefix%@}	# which begins the word that is replaced
	COMPREPLY=()
	while IFS=$'\t' read -r word help; do
		case $word in
		# Where no word matches, bash looks for them itself.
		:files) compopt -o default 2>/dev/null ;;
		:directories) compopt -o dirnames 2>/dev/null ;;
		:command*)
			for (( i = 1; i < COMP_CWORD; i++ )); do
				[[ ${COMP_WORDS[i]} == -- ]] && break
			done
			if declare -F _command_offset >/dev/null; then
				_command_offset $(( i + 1 ))
			else
				COMPREPLY=( $(compgen -c -f -- "$current") )
			fi
			return ;;
		*)
			COMPREPLY+=("${word#"$prefix"}") ;;
		esac
	done < <("$program" __complete -- "${words[@]}" 2>/dev/null)
	if (( ${#COMPREPLY[@]} == 1 )) && [[ ${COMPREPLY[0]} == *[=:,] ]]; then
		compopt -o nospace 2>/dev/null
	fi
}
complete -F _openclaw openclaw clw-info clw-profile openclaw-crash-analyze
