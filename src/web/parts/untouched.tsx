/**
 * A text in which one part is the same in every language: a name, an address, a code. A browser's own translator would make a
 * word of it, so it is marked.
 */
export function Untouched({ text, part }: { text: string; part: string }) {
  const at = part === '' ? -1 : text.indexOf(part)
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <span translate="no">{part}</span>
      {text.slice(at + part.length)}
    </>
  )
}
