import type { AttributionScript } from '#contract/attribution/attribution.ts'
import { consentEvents } from '#contract/statistics/consent.ts'
import { defineInputs, type FieldValues, updateInputs } from './inputs-element.ts'
import { forget, tracker } from './tracker.ts'

/**
 * Stores the visitor's source while consent allows it, and keeps the hidden inputs of forms up to date. No error
 * reaches the page. Do not call it on a prerendered page.
 * @param settings the page's global `wc_order_attribution` itself: it receives the two public functions
 * @param permission checked at the start, and again when a consent tool announces itself
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
      // A page counts once, however often consent is given.
      if (!allow) forget(params)
      else if (!counted) tracker.init({ ...params, session_length: params.session, timezone_offset: '0' })
      counted = allow
    } catch (problem) {
      // Reading a cookie throws where a page may store nothing.
      console.debug(problem)
    }
    updateInputs(getAttributionData())
  }

  // Scripts may already hold a reference to the object.
  Object.assign(settings, { getAttributionData, setOrderTracking })
  Object.assign(window, { sbjs: tracker })
  document.addEventListener(consentEvents.changed, (event) => {
    // Proof of the cast: an event of another type has no detail.
    const answer: unknown = (event as CustomEvent).detail?.[category]
    if (answer) setOrderTracking(answer === 'allow')
  })
  document.addEventListener(consentEvents.defined, () => setOrderTracking(allowed()))
  setOrderTracking(allowed())
  defineInputs(params.prefix, Object.keys(fields), getAttributionData)
}
