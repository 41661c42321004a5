/** The folder of the program, and the path of Node. */
type Place = { readonly root: string; readonly node: string }

/** Quotes a text for POSIX shells and zsh. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
// Fish interprets a backslash before another one or before a quote, even in single quotes.
const quotedForFish = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`

const functions = ({ root, node }: Place) => `shop() { (cd ${quoted(root)} && npm run --silent shop -- "$@"); }
_shop_words() { (cd ${quoted(root)} && ${quoted(node)} src/cli/main.ts completion words "$@" 2>/dev/null); }`

/** The script for each shell. It asks the shop at each press of the Tab key, so it needs no update. */
export const completionScripts: Readonly<Record<string, (place: Place) => string>> = {
  bash: (place) => `${functions(place)}
_shop() {
  local line="\${COMP_LINE:0:COMP_POINT}" words word current
  # Taken apart at blanks alone: bash would also do so at the colon of id:12.
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  current="\${words[-1]}"
  COMPREPLY=()
  while IFS= read -r word; do
    # What stands before the last colon or equals sign is on the line already.
    [[ $current == *[:=]* ]] && word="\${word#"\${current%"\${current##*[:=]}"}"}"
    COMPREPLY+=("$(printf %q "$word")")
  done < <(_shop_words "\${words[@]:1}")
}
complete -o default -F _shop shop`,

  zsh: (place) => `${functions(place)}
_shop() {
  local -a found
  found=("\${(@f)$(_shop_words "\${(@)words[2,CURRENT]}")}")
  if (( \${#found} )) && [[ -n $found[1] ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _shop shop`,

  fish: ({ root, node }) => `function shop
  pushd ${quotedForFish(root)}; and npm run --silent shop -- $argv
  set -l code $status
  popd
  return $code
end
function _shop_words
  pushd ${quotedForFish(root)}; and ${quotedForFish(node)} src/cli/main.ts completion words $argv 2>/dev/null
  popd
end
complete -c shop -f -a '(_shop_words (commandline -opc)[2..] (commandline -ct))'
complete -c shop -n '__fish_seen_subcommand_from import' -F`,
}
