import type { AttributionScript } from '#contract/attribution/attribution.ts'
import { consentEvents } from '#contract/statistics/consent.ts'
import { defineInputs, type FieldValues, updateInputs } from './inputs-element.ts'
import { forget, tracker } from './tracker.ts'

/**
 * Remembers where the visitor came from, as long as that is allowed, and keeps the hidden inputs of forms up to date. Nothing
 * of it ever throws into the page. A page that is made ready before anybody has chosen it is not to be started.
 * @param settings the page's global `wc_order_attribution` itself: it gets the two public functions
 * @param permission asked at the start, and again when a consent tool makes itself known
 */
export function startAttribution(settings: AttributionScript, { allowed }: { allowed: () => boolean }): void {
  const { fields, params } = settings
  const category = params.consentCategory ?? 'marketing'
  let counted = false

  const getAttributionData = (): FieldValues =>
    Object.fromEntries(
      Object.entries(fields).map(([field, place]) => {
        const [name = '', key = ''] = place.split('.')
        return [field, (params.allowTracking && tracker.get[name]?.[key]) || null]
      }),
    )

  const setOrderTracking = (allow: boolean): void => {
    params.allowTracking = allow
    try {
      // A page counts once, however often it is said that it may.
      if (!allow) forget(params)
      else if (!counted) tracker.init({ ...params, session_length: params.session, timezone_offset: '0' })
      counted = allow
    } catch (problem) {
      // Where a page may keep nothing at all, reading a cookie throws already.
      console.debug(problem)
    }
    updateInputs(getAttributionData())
  }

  // Scripts may hold the object already.
  Object.assign(settings, { getAttributionData, setOrderTracking })
  Object.assign(window, { sbjs: tracker })
  document.addEventListener(consentEvents.changed, (event) => {
    // Proof of the cast: an event of another kind has no detail either.
    const answer: unknown = (event as CustomEvent).detail?.[category]
    if (answer) setOrderTracking(answer === 'allow')
  })
  document.addEventListener(consentEvents.defined, () => setOrderTracking(allowed()))
  setOrderTracking(allowed())
  defineInputs(params.prefix, Object.keys(fields), getAttributionData)
}
