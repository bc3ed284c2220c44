#!/bin/bash

__framefast_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__framefast_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__framefast_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__framefast_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    "${COMP_WORDS[0]}" "${@}" "${words[@]}"
}

_framefast() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    local -r prev="${3}"

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __framefast_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    status|watch|connect|doctor|cameras|captures|session|queue|mode|destinations|storage|events|logs|get|set|preset|clock|shoot|group|live|bulb|interval|bracket|stack|focus|movie|stop|template|version|exit-codes|help)
        # Offer subcommand argument completions
        "_framefast_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'status watch connect doctor cameras captures session queue mode destinations storage events logs get set preset clock shoot group live bulb interval bracket stack focus movie stop template version exit-codes help' -- "${cur}"))
        ;;
    esac
}

_framefast_status() {
    repeating_flags=()
    non_repeating_flags=(--json --plain -f --follow --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --format --template --width)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--format')
        __framefast_add_completions -W 'plain'$'\n''json'$'\n''tmux'$'\n''waybar'$'\n''i3bar'$'\n''i3blocks'$'\n''polybar'
        return
        ;;
    '--template')
        return
        ;;
    '--width')
        return
        ;;
    esac
}

_framefast_watch() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --still --bell --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_connect() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --usb --find --still --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --maker --session --mode --address --name --timeout)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--maker')
        return
        ;;
    '--session')
        return
        ;;
    '--mode')
        return
        ;;
    '--address')
        return
        ;;
    '--name')
        return
        ;;
    '--timeout')
        return
        ;;
    esac
}

_framefast_doctor() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --bundle --config)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--bundle')
        return
        ;;
    '--config')
        return
        ;;
    esac
}

_framefast_cameras() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __framefast_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|rename|ignore|forget|add|find)
        # Offer subcommand argument completions
        "_framefast_cameras_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list rename ignore forget add find' -- "${cur}"))
        ;;
    esac
}

_framefast_cameras_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_cameras_rename() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_cameras_ignore() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --undo --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_cameras_forget() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_cameras_add() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --name --maker)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--name')
        return
        ;;
    '--maker')
        return
        ;;
    esac
}

_framefast_cameras_find() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --sweep --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --maker --address)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--maker')
        return
        ;;
    '--address')
        return
        ;;
    esac
}

_framefast_captures() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __framefast_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|retry)
        # Offer subcommand argument completions
        "_framefast_captures_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list retry' -- "${cur}"))
        ;;
    esac
}

_framefast_captures_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --all --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --limit --cursor --session --camera --state)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--limit')
        return
        ;;
    '--cursor')
        return
        ;;
    '--session')
        return
        ;;
    '--camera')
        return
        ;;
    '--state')
        return
        ;;
    esac
}

_framefast_captures_retry() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_session() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __framefast_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    start|list|keep|stop)
        # Offer subcommand argument completions
        "_framefast_session_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'start list keep stop' -- "${cur}"))
        ;;
    esac
}

_framefast_session_start() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --give-back --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --keep --preset)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--keep')
        return
        ;;
    '--preset')
        return
        ;;
    esac
}

_framefast_session_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --limit)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--limit')
        return
        ;;
    esac
}

_framefast_session_keep() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --session)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--session')
        return
        ;;
    esac
}

_framefast_session_stop() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_queue() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __framefast_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|pause|resume|retry|hold|release|first|drop|add)
        # Offer subcommand argument completions
        "_framefast_queue_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list pause resume retry hold release first drop add' -- "${cur}"))
        ;;
    esac
}

_framefast_queue_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --all --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --limit --cursor --to --destination --session --camera --state)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--limit')
        return
        ;;
    '--cursor')
        return
        ;;
    '--to'|'--destination')
        return
        ;;
    '--session')
        return
        ;;
    '--camera')
        return
        ;;
    '--state')
        return
        ;;
    esac
}

_framefast_queue_pause() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_queue_resume() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_queue_retry() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --to --destination --session --camera --state)
    __framefast_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--to'|'--destination')
        return
        ;;
    '--session')
        return
        ;;
    '--camera')
        return
        ;;
    '--state')
        return
        ;;
    esac
}

_framefast_queue_hold() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --to --destination --session --camera --state)
    __framefast_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--to'|'--destination')
        return
        ;;
    '--session')
        return
        ;;
    '--camera')
        return
        ;;
    '--state')
        return
        ;;
    esac
}

_framefast_queue_release() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --to --destination --session --camera --state)
    __framefast_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--to'|'--destination')
        return
        ;;
    '--session')
        return
        ;;
    '--camera')
        return
        ;;
    '--state')
        return
        ;;
    esac
}

_framefast_queue_first() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --to --destination --session --camera --state)
    __framefast_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--to'|'--destination')
        return
        ;;
    '--session')
        return
        ;;
    '--camera')
        return
        ;;
    '--state')
        return
        ;;
    esac
}

_framefast_queue_drop() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --all --yes --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --to --destination --session --camera --state)
    __framefast_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--to'|'--destination')
        return
        ;;
    '--session')
        return
        ;;
    '--camera')
        return
        ;;
    '--state')
        return
        ;;
    esac
}

_framefast_queue_add() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --all --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --to --destination --session --camera)
    __framefast_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--to'|'--destination')
        return
        ;;
    '--session')
        return
        ;;
    '--camera')
        return
        ;;
    esac
}

_framefast_mode() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --stars --threshold --window --from --to --after)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--stars'|'--threshold')
        return
        ;;
    '--window')
        return
        ;;
    '--from')
        return
        ;;
    '--to')
        return
        ;;
    '--after')
        return
        ;;
    esac
}

_framefast_destinations() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __framefast_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|test|adopt)
        # Offer subcommand argument completions
        "_framefast_destinations_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list test adopt' -- "${cur}"))
        ;;
    esac
}

_framefast_destinations_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_destinations_test() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --relearn --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_destinations_adopt() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --yes --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_storage() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __framefast_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    summary|clear|adopt)
        # Offer subcommand argument completions
        "_framefast_storage_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'summary clear adopt' -- "${cur}"))
        ;;
    esac
}

_framefast_storage_summary() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_storage_clear() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --delivered --yes --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --session --older-than)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--session')
        return
        ;;
    '--older-than')
        return
        ;;
    esac
}

_framefast_storage_adopt() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --yes --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_events() {
    repeating_flags=()
    non_repeating_flags=(--json --plain -f --follow --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_logs() {
    repeating_flags=()
    non_repeating_flags=(--json --plain -f --follow --user --system --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --camera --destination --since --level -n --lines)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--camera')
        return
        ;;
    '--destination')
        return
        ;;
    '--since')
        return
        ;;
    '--level')
        __framefast_add_completions -W 'debug'$'\n''info'$'\n''notice'$'\n''warning'$'\n''error'
        return
        ;;
    '-n'|'--lines')
        return
        ;;
    esac
}

_framefast_get() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --choices --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_set() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --nearest --dry-run --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_preset() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __framefast_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list|show|save|apply|diff|remove)
        # Offer subcommand argument completions
        "_framefast_preset_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list show save apply diff remove' -- "${cur}"))
        ;;
    esac
}

_framefast_preset_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_preset_show() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_preset_save() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options -1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_preset_apply() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --nearest --dry-run --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_preset_diff() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_preset_remove() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --yes --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_clock() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --set --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_shoot() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --camera --group --at --require)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--camera')
        return
        ;;
    '--group')
        return
        ;;
    '--at')
        return
        ;;
    '--require')
        return
        ;;
    esac
}

_framefast_group() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __framefast_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    list)
        # Offer subcommand argument completions
        "_framefast_group_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'list' -- "${cur}"))
        ;;
    esac
}

_framefast_group_list() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_live() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --mjpeg --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --save --rate --size)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--save')
        return
        ;;
    '--rate')
        return
        ;;
    '--size')
        return
        ;;
    esac
}

_framefast_bulb() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --detach --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_interval() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --detach --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --group --every --count --ramp)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--group')
        return
        ;;
    '--every')
        return
        ;;
    '--count')
        return
        ;;
    '--ramp')
        return
        ;;
    esac
}

_framefast_bracket() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --detach --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --ev)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--ev')
        return
        ;;
    esac
}

_framefast_stack() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --detach --near --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --count --steps --size)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--count')
        return
        ;;
    '--steps')
        return
        ;;
    '--size')
        return
        ;;
    esac
}

_framefast_focus() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --steps --size)
    __framefast_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--steps')
        return
        ;;
    '--size')
        return
        ;;
    esac
}

_framefast_movie() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --detach --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 2

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_stop() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --detach --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --group)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--group')
        return
        ;;
    esac
}

_framefast_template() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __framefast_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    test)
        # Offer subcommand argument completions
        "_framefast_template_${subcommand}"
        ;;
    *)
        # Offer subcommand completions
        COMPREPLY+=($(compgen -W 'test' -- "${cur}"))
        ;;
    esac
}

_framefast_template_test() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast --count)
    __framefast_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    '--count')
        return
        ;;
    esac
}

_framefast_version() {
    repeating_flags=()
    non_repeating_flags=(--json --plain --version -h --help)
    repeating_options=()
    non_repeating_options=(--socket --color --theme --contrast)
    __framefast_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--socket')
        return
        ;;
    '--color')
        __framefast_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    '--theme')
        __framefast_add_completions -W 'auto'$'\n''dark'$'\n''light'$'\n''terminal'
        return
        ;;
    '--contrast')
        __framefast_add_completions -W 'usual'$'\n''more'
        return
        ;;
    esac
}

_framefast_exit-codes() {
    repeating_flags=()
    non_repeating_flags=(--version -h --help)
    repeating_options=()
    non_repeating_options=()
    __framefast_offer_flags_options 0
}

_framefast_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __framefast_offer_flags_options -1
}

complete -o filenames -F _framefast framefast
