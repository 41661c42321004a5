import type { Page } from 'playwright-core'
import type { Visitor } from '#tests/support/browser.ts'
import type { TestShop } from '#tests/support/shop.ts'

export type Walk = {
  readonly visitor: Visitor
  readonly page: Page
  readonly shop: TestShop
  /** Whether the window is as narrow as a phone's. */
  readonly narrow: boolean
}

/**
 * Pages and their states in the order in which one visitor comes to them: each is brought about from where the one before
 * left the page. `false`: there is no such state in a window of this size.
 */
export type Tour = {
  readonly title: string
  /** Texts of errors that the tour provokes on purpose. */
  readonly expectedErrors?: readonly RegExp[]
  readonly states: Readonly<Record<string, (walk: Walk) => Promise<unknown>>>
}
