import type { HTMLAttributes } from 'react'

export type HtmlProps = Omit<HTMLAttributes<HTMLElement>, 'children'> & {
  as?: 'a' | 'div' | 'li' | 'script' | 'span' | 'ul'
  /** Markup of the shop's renderer or the merchant's own text; never visitor input. */
  html: string
  /** For a script element: a type that browsers do not run. */
  type?: 'application/json' | 'application/ld+json' | 'text/template'
  'data-id'?: string | undefined
  /** For a link. */
  href?: string
}

/** The only component that turns a string into markup. */
export function Html({ as: Element = 'div', html, ...attributes }: HtmlProps) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see `HtmlProps.html` for the allowed sources.
  return <Element {...attributes} dangerouslySetInnerHTML={{ __html: html }} />
}
