import { type AttributionScript, attributionFields, attributionPrefix } from '#contract/attribution/attribution.ts'
import { urls } from '#contract/shared/urls.ts'
import type { Application } from '../operations/startup/application.ts'
import type { Saying } from '../pages/shared/script-page.ts'

/**
 * The settings object of the tracker, where the shop wants to know where orders come from. It is the same for everybody:
 * pages are kept. Where visitors are asked it says no, until the browser finds that this one has agreed.
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
