import type { AttributionScript } from '#contract/attribution/attribution.ts'
import { consentEvents, consentHooks, measureHooks } from '#contract/statistics/consent.ts'
import { statsConfigId } from '#contract/statistics/statistics.ts'
import { defineConsent, isCategoryAllowed, isConsented, isConsentUndecided } from './consent.ts'
import { consentForm } from './consent-form.ts'
import { startStatistics } from './statistics.ts'

/** Returns whether a part may store or send data. It is called each time, since answers change. */
export type Permission = { allowed: () => boolean }

/** A measuring part: `due` tells whether it has work now, and `start` runs once. */
type Part = { due: () => boolean; start: () => Promise<unknown> }

const asks = (document.querySelector<HTMLElement>(measureHooks.script)?.dataset.asks ?? '').split(' ').filter(Boolean)
const parts = new Set<Part>()

const { wc_order_attribution: script } = window as { wc_order_attribution?: AttributionScript }
if (script?.params) parts.add(attribution(script))
if (document.getElementById(statsConfigId)) parts.add(statistics())

// A prerendered page is not counted and stores nothing.
if ((document as { prerendering?: boolean }).prerendering) {
  document.addEventListener('prerenderingchange', start, { once: true })
} else {
  start()
}

function start(): void {
  const form = document.querySelector<HTMLElement>(consentHooks.form)
  if (form) {
    defineConsent(Number(form.dataset.days))
    const { ask } = consentForm(form, asks)
    if (isConsentUndecided(asks)) whenIdle(ask)
  }
  for (const name of Object.values(consentEvents)) document.addEventListener(name, startParts)
  whenIdle(startParts)
}

/** Attribution of visitors. Data stored under an answer that is no longer valid is deleted. */
function attribution(script: AttributionScript): Part {
  const { consentCategory = 'marketing' } = script.params
  const permission = { allowed: () => isCategoryAllowed(consentCategory, asks.includes(consentCategory)) }
  return {
    due: () => permission.allowed() || document.cookie.includes(measureHooks.kept),
    start: async () => (await import('./attribution/start-attribution.ts')).startAttribution(script, permission),
  }
}

/** Visitor statistics. They store nothing, and so run without an answer where the shop asks for no consent. */
function statistics(): Part {
  const asked = asks.includes('statistics')
  const permission = {
    allowed: () => (asked ? isCategoryAllowed('statistics', true) : isConsented('statistics', false)),
  }
  return {
    due: permission.allowed,
    start: async () => startStatistics(permission),
  }
}

/** Starts parts that may run and have not started. A part that fails to load, as by a blocker, is skipped. */
function startParts(): void {
  for (const part of parts) {
    if (!part.due()) continue
    parts.delete(part)
    part.start().catch(console.debug)
  }
}

/** Waits until the browser is idle, with a time limit. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 1000 })
  else setTimeout(run, 200)
}
