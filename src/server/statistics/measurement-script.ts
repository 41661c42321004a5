import { type ConsentNeeds, consentCategoriesInUse } from '#contract/statistics/consent.ts'
import type { ConsentSettings } from '#contract/statistics/settings.ts'
import type { FrameFacts } from '#web/pages/shared/document.tsx'
import type { ConsentFacts } from '#web/parts/shared/shop-context.tsx'

type MeasureSettings = ConsentNeeds & {
  consent: ConsentSettings
}

/** Returns the facts of the analytics script and its consent banner; undefined if nothing is to measure. */
export function pageMeasure(
  settings: MeasureSettings,
  { measure }: { readonly measure: string },
): FrameFacts['measure'] | undefined {
  const { attribution, statistics } = settings
  if (!attribution.enabled && !statistics.enabled && !consentFacts(settings)) return undefined
  return { script: measure, asks: consentCategoriesInUse(settings) }
}

/** Returns the categories of the consent banner; null if none is shown, or if nothing depends on consent. */
export function consentFacts(settings: MeasureSettings): ConsentFacts | null {
  const { attribution, consent } = settings
  const asks = consentCategoriesInUse(settings)
  if (!consent.banner || asks.length === 0) return null
  return {
    asks,
    attribution: attribution.enabled ? attribution.consentCategory : null,
    policyPath: consent.policyPage,
    days: consent.days,
  }
}
