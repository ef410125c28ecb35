# SPDX-License-Identifier: Apache-2.0
# zsh -f offers.zsh SCRIPT LINE: the words that zsh offers behind LINE with the completion of SCRIPT, one a line. An
# interactive zsh in a terminal of its own is asked by the tab key; its compadd prints what it would add.
zmodload zsh/zpty
zpty asked zsh -f -i
zpty -w asked "PROMPT=; RPROMPT=; stty -echo; autoload -U compinit; compinit -u -D; source ${(q)1}"
# With -A, -D, -O it fills arrays, and adds nothing.
zpty -w asked 'compadd() {
    local -a hits
    [[ " $* " == *" -"[AOD]" "* ]] && { builtin compadd "$@"; return }
    builtin compadd -A hits "$@"
    [[ -z $hits ]] || print -rl -- "offer "$^hits
}'
zpty -w asked 'answer() { print; compstate[insert]=; _main_complete; print "no more"; }'
zpty -w asked 'zle -C answer complete-word answer; bindkey "^I" answer; print "rea""dy"'
while zpty -r asked line; do [[ $line == *ready* ]] && break; done
zpty -w -n asked "$2"$'\t'
while zpty -r asked line; do
    line=${line%%[$'\r\n']*}
    [[ $line == *"no more"* ]] && break
    [[ $line == *"offer "* ]] && print -r -- ${line##*offer }
done
zpty -d asked
