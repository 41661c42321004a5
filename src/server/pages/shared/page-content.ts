import type { ReactElement } from 'react'
import type { FrameFacts } from '#web/pages/shared/document.tsx'
import type { PaymentFacts, ScriptPage } from './script-page.ts'

/** What a page handler gives: the facts of the head, and the page itself. */
export type PageContent = {
  status?: number
  kind: FrameFacts['kind']
  script: ScriptPage
  title: string
  description?: string
  canonical?: string
  bodyClasses?: readonly string[]
  robots?: string
  /** The languages in which the page says what it says, where these are not all: `alternates` names no others. */
  pageLanguages?: readonly string[]
  productIds?: readonly number[]
  /** What else it shows, by which it is forgotten (`cache-tags.ts`); left out: it is forgotten with every change. */
  tags?: readonly string[]
  /** Whether it says something else before long, without any change's telling so: nobody keeps it. */
  isPassing?: boolean
  /** Where the page leads programs: the header of that name (RFC 8288). */
  link?: string
  /** Whether a form of the page leads to another shop. */
  leadsAway?: boolean
  payment?: PaymentFacts
  about?: FrameFacts['about']
  /** Of a private page: a bar below everything else. */
  footer?: FrameFacts['footer']
  /** Of a private page: what is said at once, after what waits for this visitor. */
  notices?: FrameFacts['notices']
  element: ReactElement
}
