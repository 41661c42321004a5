import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The wire's markup of errors, which themes and scripts know: a list that is an alert. Browsers tell it as an alert, and its
 * items claim to be none; axe's advice that a list should be no alert stands against that wire alone.
 */
const alertOfErrors = 'ul.woocommerce-error[role="alert"]'

/** WCAG 2.0 to 2.2, A and AA, and what axe calls best practice. It leaves the size of targets out unless asked. */
const everything: RunOptions = { rules: { 'target-size': { enabled: true } } }

/** What hangs on the colours alone, for a second look in the other scheme. */
const ofColours: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

/** Everything that axe finds wrong, as one line each. What the provider draws in its frames is not ours to judge. */
export async function violations(page: Page, look: 'everything' | 'colours' = 'everything'): Promise<string[]> {
  // Through the debugger's own door: the page's policy lets no foreign script in.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const options = {
    ...(look === 'colours' ? ofColours : everything),
    resultTypes: ['violations'],
    iframes: false,
    // No rule that is asked reads style sheets; fetched and parsed again for each look they are half of its time.
    preload: { assets: ['media'] },
  }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  const faults = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => ({ id, target: String(target), failureSummary })),
  )
  const asWired = await page.evaluate(
    ([targets, wired]) => targets.filter((target) => document.querySelector(target)?.matches(wired)),
    [faults.filter(({ id }) => id === 'aria-allowed-role').map(({ target }) => target), alertOfErrors] as const,
  )
  return faults
    .filter(({ id, target }) => id !== 'aria-allowed-role' || !asWired.includes(target))
    .map(({ id, target, failureSummary }) => `${id}: ${target} ${failureSummary?.replace(/\s+/g, ' ')}`)
}
