/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `ompd completion SHELL`: scripts made from the table, so that they offer exactly what this program takes.
 */
#include "cmd.h"

#include <stdio.h>
#include <string.h>

static void names(const char *separator)
{
    for (const struct cmd_sub *s = cmd_subs; s->name; s++)
        printf("%s%s", s == cmd_subs ? "" : separator, s->name);
}

static void words_of(const struct cmd_option *o, const char *separator)
{
    for (const char *const *w = o->words; *w; w++)
        printf("%s%s", w == o->words ? "" : separator, *w);
}

static void spelled(const struct cmd_option *o)
{
    if (o->letter)
        printf("-%c|", o->letter);
    printf("--%s", o->name);
}

static void bash_words(void)
{
    puts("    case $prev in");
    for (const struct cmd_option *o = cmd_options; o->name; o++) {
        if (o->kind == CMD_FLAG)
            continue;
        fputs("    ", stdout);
        spelled(o);
        fputs(") ", stdout);
        if (o->kind == CMD_WORDS) {
            fputs("_ompd_reply -W '", stdout);
            words_of(o, " ");
            fputs("'", stdout);
        } else if (o->kind == CMD_DIRECTORY) {
            fputs("compopt -o filenames; _ompd_reply -d", stdout);
        } else if (o->kind == CMD_FILE) {
            fputs("compopt -o filenames; _ompd_reply -f", stdout);
        } else if (o->kind == CMD_PID) {
            fputs("_ompd_reply -W \"$(cd /proc && echo [0-9]*)\"", stdout);
        } else {
            fputs("COMPREPLY=()", stdout);
        }
        puts("; return ;;");
    }
    puts("    esac");
}

static void bash_options(void)
{
    puts("    if [[ $cur == -* ]]; then\n"
         "        case $sub in");
    for (const struct cmd_sub *s = cmd_subs; s->name; s++) {
        printf("        %s) word='", s->name);
        for (const struct cmd_option *o = cmd_options; o->name; o++)
            if (o->of & s->bit)
                printf("--%s ", o->name);
        puts("' ;;");
    }
    fputs("        *) word='", stdout);
    for (const struct cmd_option *o = cmd_options; o->name; o++)
        printf("--%s ", o->name);
    puts("' ;;\n"
         "        esac\n"
         "        _ompd_reply -W \"$word\"\n"
         "        return\n"
         "    fi");
}

static void bash(void)
{
    puts("# bash completion for ompd: source <(ompd completion bash)\n"
         "_ompd_reply() { mapfile -t COMPREPLY < <(compgen \"$@\" -- \"$cur\"); }\n"
         "_ompd() {\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} sub='' word i\n"
         "    # bash splits --format=dot at the sign.\n"
         "    if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; "
         "fi\n"
         "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "        word=${COMP_WORDS[i]}\n"
         "        case $word in");
    fputs("        ", stdout);
    names("|");
    puts(") sub=$word; break ;;\n"
         "        esac\n"
         "    done\n"
         "    # What `run` starts has a completion of its own.\n"
         "    if [[ $sub == run ]] && type _command_offset &>/dev/null; then\n"
         "        for ((i++; i < COMP_CWORD; i++)); do\n"
         "            case ${COMP_WORDS[i]} in");
    fputs("            ", stdout);
    for (const struct cmd_option *o = cmd_options; o->name; o++)
        if (o->kind != CMD_FLAG && o->of & CMD_RUN) {
            spelled(o);
            putchar('|');
        }
    puts("=) ((i++)) ;;\n"
         "            --) _command_offset $((i + 1)); return ;;\n"
         "            [!-]*) _command_offset \"$i\"; return ;;\n"
         "            esac\n"
         "        done\n"
         "    fi");
    bash_words();
    bash_options();
    fputs("    case $sub in\n"
          "    '' | help) _ompd_reply -W '",
          stdout);
    names(" ");
    puts("' ;;\n"
         "    completion) _ompd_reply -W 'bash zsh fish' ;;\n"
         "    run) compopt -o filenames; _ompd_reply -c -f ;;\n"
         "    *) compopt -o filenames; _ompd_reply -f ;;\n"
         "    esac\n"
         "}\n"
         "complete -F _ompd ompd");
}

/* Text for '...' of a shell, with ZSH inside [...]: quotes, brackets and colons are escaped. */
static void quoted(const char *text, bool zsh)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (zsh && strchr("[]:", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
}

static void zsh_value(const struct cmd_option *o)
{
    printf(":%s:", o->value);
    if (o->kind == CMD_WORDS) {
        putchar('(');
        words_of(o, " ");
        putchar(')');
    } else if (o->kind == CMD_FILE) {
        fputs("_files", stdout);
    } else if (o->kind == CMD_DIRECTORY) {
        fputs("_files -/", stdout);
    } else if (o->kind == CMD_PID) {
        fputs("_pids", stdout);
    }
}

static void zsh_option(const struct cmd_option *o, bool letter)
{
    printf("\n        '%s", o->id == CMD_O_DEBUG_DIR ? "*" : "");
    if (letter)
        printf("-%c[", o->letter);
    else
        printf("--%s%s[", o->name, o->kind == CMD_FLAG ? "" : "=");
    quoted(o->help, true);
    putchar(']');
    if (o->kind != CMD_FLAG)
        zsh_value(o);
    putchar('\'');
}

static void zsh(void)
{
    puts("#compdef ompd\n"
         "# zsh completion for ompd: ompd completion zsh >DIRECTORY_OF_FPATH/_ompd\n"
         "# Of `ompd run ls --all` the words behind `run` are a command of their own.\n"
         "_ompd_program() {\n"
         "    repeat 2 if [[ $words[1] == (run|--) ]]; then shift words; ((CURRENT--)); fi\n"
         "    _normal\n"
         "}\n"
         "_ompd() {\n"
         "    local sub word\n"
         "    local -a subs options\n"
         "    subs=(");
    for (const struct cmd_sub *s = cmd_subs; s->name; s++) {
        printf("        '%s:", s->name);
        quoted(s->summary, false);
        puts("'");
    }
    puts("    )\n"
         "    for word in ${words[2,CURRENT-1]}; do\n"
         "        if [[ -n ${(M)subs:#${word}:*} ]]; then sub=$word; break; fi\n"
         "    done\n"
         "    case $sub in");
    for (const struct cmd_sub *s = cmd_subs; s->name; s++) {
        printf("    %s) options=(", s->name);
        for (const struct cmd_option *o = cmd_options; o->name; o++) {
            if (!(o->of & s->bit))
                continue;
            zsh_option(o, false);
            if (o->letter)
                zsh_option(o, true);
        }
        if (s->bit == CMD_COMPLETION)
            printf("\n        '2:shell:(bash zsh fish)'");
        else if (s->bit == CMD_HELP) {
            printf("\n        '2:subcommand:(");
            names(" ");
            printf(")'");
        } else if (s->bit == CMD_RUN)
            printf("\n        '(-)2:program:_command_names -e'\n        '*::arguments:_ompd_program'");
        else if (s->bit & (CMD_READING | CMD_LAYOUT | CMD_MERGE | CMD_NODE))
            printf("\n        '*:file:_files'");
        puts(") ;;");
    }
    puts("    *) _describe subcommand subs; return ;;\n"
         "    esac\n"
         "    _arguments '1:subcommand:' $options\n"
         "}\n"
         "if [[ $funcstack[1] == _ompd ]]; then _ompd \"$@\"; else compdef _ompd ompd; fi");
}

static void fish(void)
{
    puts("# fish completion for ompd: ompd completion fish | source\n"
         "complete -c ompd -f");
    for (const struct cmd_sub *s = cmd_subs; s->name; s++) {
        printf("complete -c ompd -n __fish_use_subcommand -a %s -d '", s->name);
        quoted(s->summary, false);
        puts("'");
    }
    for (const struct cmd_option *o = cmd_options; o->name; o++) {
        printf("complete -c ompd -n 'not __fish_seen_subcommand_from");
        for (const struct cmd_sub *s = cmd_subs; s->name; s++)
            if (!(o->of & s->bit))
                printf(" %s", s->name);
        printf("' -l %s", o->name);
        if (o->letter)
            printf(" -s %c", o->letter);
        if (o->kind == CMD_WORDS) {
            printf(" -x -a '");
            words_of(o, " ");
            putchar('\'');
        } else if (o->kind == CMD_PID) {
            printf(" -x -a '(__fish_complete_pids)'");
        } else if (o->kind == CMD_DIRECTORY) {
            printf(" -x -a '(__fish_complete_directories)'");
        } else if (o->kind == CMD_FILE) {
            printf(" -r -F");
        } else if (o->kind == CMD_NUMBER || o->kind == CMD_SIZE || o->kind == CMD_ANY) {
            printf(" -x");
        }
        printf(" -d '");
        quoted(o->help, false);
        puts("'");
    }
    puts("complete -c ompd -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'");
    printf("complete -c ompd -n '__fish_seen_subcommand_from help' -a '");
    names(" ");
    printf("'\ncomplete -c ompd -n '__fish_seen_subcommand_from");
    for (const struct cmd_sub *s = cmd_subs; s->name; s++)
        if (s->bit & (CMD_READING | CMD_LAYOUT | CMD_RUN | CMD_MERGE))
            printf(" %s", s->name);
    puts("' -F");
}

int cmd_completion(const char *shell)
{
    if (!strcmp(shell, "bash"))
        bash();
    else if (!strcmp(shell, "zsh"))
        zsh();
    else if (!strcmp(shell, "fish"))
        fish();
    else {
        cmd_say("There is no completion for \"%s\": bash, zsh or fish.", shell);
        return CMD_USAGE;
    }
    return CMD_ALL;
}
