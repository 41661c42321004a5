import { useShop } from '../shared/shop-context.tsx'

/**
 * A text in which one part is the same in every language: a name, an address, a code. A browser's own translator would make a
 * word of it, so it is marked; and it runs by itself, so that 20-OFF is no OFF-20 in Arabic.
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
