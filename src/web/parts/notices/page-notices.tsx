import { createContext, useContext } from 'react'
import { checkoutHooks } from '#contract/checkout/hooks.ts'
import { fieldMessageId } from '#contract/notices/hooks.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { Html } from '../shared/html.tsx'

const PageNotices = createContext<readonly NoticeFacts[]>([])

/** The notices above the page's content; its fields repeat theirs. */
export const PageNoticesProvider = PageNotices.Provider

/** Returns the error of a field; undefined without an error. */
export function useFault(fieldId: string): NoticeFacts | undefined {
  return useContext(PageNotices).find(({ kind, field }) => kind === 'error' && field === fieldId)
}

/** `said`: the text of a message. `links`: its links as markup; '' without any. */
export function withoutLinks(html: string): { said: string; links: string } {
  const [said = '', ...links] = html.split(/(?= <a )/)
  return { said, links: links.join('') }
}

/**
 * The error at the field itself, as scripts insert it: with an enlarged page the list above is out of view, and a
 * border colour alone explains nothing.
 */
export function FieldMessage({ fieldId }: { fieldId: string }) {
  const notice = useFault(fieldId)
  if (!notice) return null
  const hooks = { id: fieldMessageId(fieldId), className: checkoutHooks.inlineErrorClass }
  if (notice.atField !== undefined) return <span {...hooks}>{notice.atField}</span>
  return <Html as="span" {...hooks} html={withoutLinks(notice.html).said} />
}
