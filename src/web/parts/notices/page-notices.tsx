import { createContext, useContext } from 'react'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { fieldMessageId } from '#contract/notices/hooks.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { Html } from '../shared/html.tsx'

const PageNotices = createContext<readonly NoticeFacts[]>([])

/** What the page says above everything else; its fields say it again where they are. */
export const PageNoticesProvider = PageNotices.Provider

/** Markup of what is wrong with a field, without any link; undefined where nothing is. */
export function useFault(fieldId: string): string | undefined {
  const notice = useContext(PageNotices).find(({ kind, field }) => kind === 'error' && field === fieldId)
  return notice && withoutLinks(notice.html).said
}

/** `said`: what a message says. `links`: where it leads besides, as markup; '' nowhere. */
export function withoutLinks(html: string): { said: string; links: string } {
  const [said = '', ...links] = html.split(/(?= <a )/)
  return { said, links: links.join('') }
}

/**
 * Words at the field itself, as scripts put them there where they ask: who has enlarged the page sees the field without the
 * list above it, and a frame in another colour says nothing of itself.
 */
export function FieldMessage({ fieldId }: { fieldId: string }) {
  const html = useFault(fieldId)
  if (html === undefined) return null
  return <Html as="span" id={fieldMessageId(fieldId)} className={checkoutHooks.inlineErrorClass} html={html} />
}
