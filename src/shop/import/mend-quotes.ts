/**
 * Doubles quotation marks that stand inside a quoted cell without closing it, such as the inch mark of `"A 5" pipe"`: a
 * mark closes a cell only before a separator or a line break. Text arrives in pieces.
 */
export function quoteMender(separator: string): { push(text: string): string; end(): string } {
  let isQuoted = false
  let before = '\n'
  let held = ''
  const opensAfter = new Set([separator, '\n', '\r'])

  function push(piece: string, isLast: boolean): string {
    const text = held + piece
    held = ''
    let done = 0
    let result = ''
    for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
      const next = text[at + 1]
      if (next === undefined && !isLast) {
        // The next character decides: kept for the next piece.
        held = text.slice(at)
        const rest = text.slice(done, at)
        before = at > 0 ? (text[at - 1] ?? before) : before
        return result + rest
      }
      if (!isQuoted) {
        isQuoted = opensAfter.has(at === 0 ? before : (text[at - 1] ?? ''))
        at += 1
      } else if (next === '"') at += 2
      else {
        if (next === undefined || opensAfter.has(next)) isQuoted = false
        else {
          result += `${text.slice(done, at)}""`
          done = at + 1
        }
        at += 1
      }
    }
    before = text.at(-1) ?? before
    return result + text.slice(done)
  }

  return { push: (text) => push(text, false), end: () => push('', true) }
}
