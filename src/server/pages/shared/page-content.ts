import type { ReactElement } from 'react'
import type { FrameFacts } from '#web/pages/shared/document.tsx'
import type { PaymentFacts, ScriptPage } from './script-page.ts'

/** The result of a page handler: the facts of the head, and the page itself. */
export type PageContent = {
  status?: number
  kind: FrameFacts['kind']
  script: ScriptPage
  title: string
  description?: string
  canonical?: string
  bodyClasses?: readonly string[]
  robots?: string
  /** Languages in which the page is written, if not all: `alternates` contains only these. */
  pageLanguages?: readonly string[]
  productIds?: readonly number[]
  /** Further cache tags of its content (`cache-tags.ts`); absent: every change evicts it. */
  tags?: readonly string[]
  /** True if the content expires soon without an announced change: it is not cached. */
  isPassing?: boolean
  /** The `Link` header for programs (RFC 8288). */
  link?: string
  /** True if a form of the page posts to another shop. */
  leadsAway?: boolean
  payment?: PaymentFacts
  about?: FrameFacts['about']
  /** Private pages: a bar below the page. */
  footer?: FrameFacts['footer']
  /** Private pages: notices shown at once, after the queued ones. */
  notices?: FrameFacts['notices']
  element: ReactElement
}
