# SPDX-License-Identifier: Apache-2.0
# bash completion for openclaw, made by "openclaw completion bash"
_openclaw()
{
	local word=${COMP_WORDS[COMP_CWORD]}
	local previous=${COMP_WORDS[COMP_CWORD-1]}
	local command='' at=1 kind=option options='' i
	local presets='@presets@'
	local models='@models@'
	local explained='@explained@'
	COMPREPLY=()
	while (( at < COMP_CWORD )); do
		case ${COMP_WORDS[at]} in
		-*) ;;
		*) command=${COMP_WORDS[at]}; break ;;
		esac
		(( at++ ))
	done
	for (( i = at + 1; i < COMP_CWORD; i++ )); do
		if [[ ${COMP_WORDS[i]} == -- ]]; then
			if declare -F _command_offset >/dev/null; then
				_command_offset $(( i + 1 ))
			else
				COMPREPLY=( $(compgen -c -f -- "$word") )
			fi
			return
		fi
	done
	case $command in
	'')
		options='@bash-words@' ;;
@bash-commands@	esac
	# A colon is a word of its own, and ends one.
	i=$COMP_CWORD
	if [[ $word == : ]]; then
		word=''
	else
		(( i-- ))
	fi
	if (( i > 2 )) && [[ ${COMP_WORDS[i]} == : &&
		${COMP_WORDS[i-1]} == preset &&
		${COMP_WORDS[i-2]} == --plan ]]; then
		COMPREPLY=( $(compgen -W "$presets" -- "$word") )
		return
	fi
	case $kind in
	file) COMPREPLY=( $(compgen -f -- "$word") )
		[[ $previous == --plan ]] && COMPREPLY+=( $(compgen \
			-W "$(printf 'preset:%s ' $presets)" -- "$word") ) ;;
	word) [[ $previous == --model ]] && COMPREPLY=( $(compgen -f -W "$models" -- "$word") ) ;;
	color) COMPREPLY=( $(compgen -W 'auto always never' -- "$word") ) ;;
	*) if [[ -z $command || $word == -* ]]; then
		COMPREPLY=( $(compgen -W "$options" -- "$word") )
	elif [[ $command == explain ]]; then
		COMPREPLY=( $(compgen -W "$explained" -- "$word") )
	else
		COMPREPLY=( $(compgen -f -- "$word") )
	fi ;;
	esac
}
complete -o filenames -F _openclaw openclaw
