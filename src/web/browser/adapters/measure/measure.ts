import type { AttributionScript } from '#contract/attribution/attribution.ts'
import { consentEvents, consentHooks, measureHooks } from '#contract/statistics/consent.ts'
import { statsConfigId } from '#contract/statistics/statistics.ts'
import { defineConsent, isCategoryAllowed, isConsented, isConsentUndecided } from './consent.ts'
import { consentForm } from './consent-form.ts'
import { startStatistics } from './statistics.ts'

/** What a part is told: whether it may keep or send anything. Asked anew each time, since answers change. */
export type Permission = { allowed: () => boolean }

/** A part that measures: whether there is anything for it to do by now, and what starts it, once. */
type Part = { due: () => boolean; start: () => Promise<unknown> }

const asks = (document.querySelector<HTMLElement>(measureHooks.script)?.dataset.asks ?? '').split(' ').filter(Boolean)
const parts = new Set<Part>()

const { wc_order_attribution: script } = window as { wc_order_attribution?: AttributionScript }
if (script?.params) parts.add(attribution(script))
if (document.getElementById(statsConfigId)) parts.add(statistics())

// A page that is made ready before anybody has chosen it counts for nothing and keeps nothing.
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

/** Where visitors came from. What was kept of it under an answer that holds no longer is deleted. */
function attribution(script: AttributionScript): Part {
  const { consentCategory = 'marketing' } = script.params
  const permission = { allowed: () => isCategoryAllowed(consentCategory, asks.includes(consentCategory)) }
  return {
    due: () => permission.allowed() || document.cookie.includes(measureHooks.kept),
    start: async () => (await import('./attribution/start-attribution.ts')).startAttribution(script, permission),
  }
}

/** How many look at the shop. Nothing is kept for it, so it runs without an answer where the shop asks nobody for it. */
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

/** Starts what may run and does not yet. A part that cannot be had, as where something blocks it, is done without. */
function startParts(): void {
  for (const part of parts) {
    if (!part.due()) continue
    parts.delete(part)
    part.start().catch(console.debug)
  }
}

/** Waits until the page has nothing better to do, but not for ever. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 1000 })
  else setTimeout(run, 200)
}
