import type { CardSettings, PaymentSettings } from '#contract/payments/page-settings.ts'
import { renderPart } from '#web/pages/shared/render.tsx'
import { AcceleratedModal, TokenizedCard } from '#web/parts/payments/accelerated.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import type { Application } from '../operations/startup/application.ts'
import { hasCardFields } from './card-script.ts'

/** Additions of a page with accelerated checkout: a token for PayPal's script, and templates. */
export type AcceleratedScript = { readonly token: string } & Pick<CardSettings, 'html' | 'fastlane_flow'>

/** Maximum wait for the token: the page works without it, and a later token serves the next page. */
const waitMs = 1_000

/** @returns null where the page has no accelerated checkout: it requires a guest and card payments */
export async function acceleratedScript(
  app: Application,
  shop: ShopContextValue,
  isLoggedIn: boolean,
): Promise<AcceleratedScript | null> {
  const { paypal, settings, publicUrl, clock, log } = app.tools
  const { fastlane } = settings.paypal
  if (!paypal || isLoggedIn || !fastlane.enabled || !hasCardFields(app, 'checkout')) return null
  const waiting = new AbortController()
  const late = clock.sleep(waitMs, waiting.signal).then(() => null)
  const tokenRequest = paypal.browserToken({ domains: [registrableDomain(publicUrl)] })
  const answer = await Promise.race([tokenRequest, late])
  waiting.abort()
  if (!answer?.ok) {
    log.warn({ answer: answer?.kind ?? 'late' }, 'no token for accelerated checkout: page rendered without it')
    return null
  }
  return {
    token: answer.value.token,
    fastlane_flow: fastlane.flow,
    html: { modal: renderPart(shop, <AcceleratedModal />), tokenized_card: renderPart(shop, <TokenizedCard />) },
  }
}

/** Returns the payment settings with accelerated checkout. */
export function withAccelerated(settings: PaymentSettings, script: AcceleratedScript | undefined): PaymentSettings {
  const { ppcp_card_data, queryParams } = settings
  if (!script || !ppcp_card_data) return settings
  return {
    ...settings,
    queryParams: {
      ...queryParams,
      components: `${queryParams.components},fastlane`,
      'data-sdk-client-token': script.token,
    },
    ppcp_card_data: { ...ppcp_card_data, fastlane_enabled: true, html: script.html },
  }
}

/** Second-level labels under which registries of two-letter countries register names. */
const secondLevel = /^(?:ac|co|com|edu|go|gov|gob|ltd|me|ne|net|nom|or|org|plc|sch)$/

/**
 * Returns the registrable domain of the shop's URL: `example.com` of `www.example.com`, `example.co.uk` of
 * `shop.example.co.uk`. IP addresses stay unchanged.
 */
export function registrableDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  if (/^[\d.]+$|:/.test(hostname)) return hostname
  const labels = hostname.split('.')
  const [below = '', top = ''] = labels.slice(-2)
  return labels.slice(top.length === 2 && secondLevel.test(below) ? -3 : -2).join('.')
}
