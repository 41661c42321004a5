import type { HTMLAttributes } from 'react'

export type HtmlProps = Omit<HTMLAttributes<HTMLElement>, 'children'> & {
  as?: 'a' | 'div' | 'li' | 'script' | 'span' | 'ul'
  /** Markup of our own renderer or the merchant's own text; never a visitor's words. */
  html: string
  /** Of a script element: a kind that browsers do not run. */
  type?: 'application/json' | 'application/ld+json' | 'text/template'
  'data-id'?: string | undefined
  /** Of a link. */
  href?: string
}

/** The one place where a string becomes markup on a page. */
export function Html({ as: Element = 'div', html, ...attributes }: HtmlProps) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see `HtmlProps.html` for what may come here.
  return <Element {...attributes} dangerouslySetInnerHTML={{ __html: html }} />
}
