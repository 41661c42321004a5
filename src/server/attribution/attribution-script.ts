import { type AttributionScript, attributionFields, attributionPrefix } from '#contract/attribution/attribution.ts'
import { urls } from '#contract/shared/urls.ts'
import type { Application } from '../operations/startup/application.ts'
import type { Saying } from '../pages/shared/script-page.ts'

/**
 * Returns the settings object of the tracker, if the shop records order attribution. It is the same for all visitors,
 * because pages are cached. With a consent banner it starts disabled, until the browser finds this visitor's consent.
 */
export function attributionScript(
  { tools }: Pick<Application, 'tools'>,
  { path }: Pick<Saying, 'path'>,
): { wc_order_attribution?: AttributionScript } {
  const { attribution, consent } = tools.settings
  if (!attribution.enabled) return {}
  return {
    wc_order_attribution: {
      params: {
        lifetime: attribution.lifetimeMonths,
        session: attribution.sessionMinutes,
        base64: attribution.base64,
        ajaxurl: path(urls.adminAjax),
        prefix: attributionPrefix,
        allowTracking: !consent.banner,
        consentCategory: attribution.consentCategory,
      },
      fields: attributionFields,
    },
  }
}
