import { useShop } from '../shared/shop-context.tsx'

/**
 * A text with one part that is the same in every language: a name, an address, a code. The part is marked, so that no
 * translator changes it; and it is isolated, so that 20-OFF does not become OFF-20 in Arabic.
 */
export function UntranslatedText({ text, part }: { text: string; part: string }) {
  const { dir } = useShop()
  const at = part === '' ? -1 : text.indexOf(part)
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <span translate="no" dir={dir === 'rtl' ? 'auto' : undefined}>
        {part}
      </span>
      {text.slice(at + part.length)}
    </>
  )
}
