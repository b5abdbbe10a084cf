# SPDX-License-Identifier: Apache-2.0
#compdef openclaw
# made by "openclaw completion zsh"
_openclaw_plan()
{
	_files
	local preset
	for preset in @presets@; do
		compadd -- preset:$preset
	done
}
_openclaw_model()
{
	_files
	compadd -- @models@
}
_openclaw()
{
	local -a commands
	commands=(
@zsh-summaries@	)
	if (( CURRENT == 2 )); then
		_describe command commands
		return
	fi
	shift words
	(( CURRENT-- ))
	case $words[1] in
@zsh-commands@	esac
}
_openclaw "$@"
