import { checkoutEvents } from '#contract/checkout/events.ts'
import { paymentRoutes, walletEvents } from '#contract/payments/constants.ts'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { cartEvents, cartPageEvents } from '#contract/shared/events.ts'
import { listen, trigger } from '../../runtime/events.ts'
import { isRecord, parseJson, request } from '../../runtime/request.ts'
import { connectedSettings } from './payment-settings.ts'
import { routeUrl } from './rest-calls.ts'

/** What the payment code knows of the cart. */
type CartData = NonNullable<PaymentSettings['cart']> & {
  /** Parameters of the provider's script. */
  readonly queryParams: Readonly<Record<string, string>>
  readonly page: string
}

let processing: Promise<void> | undefined

/** The cart as the page or the last refresh had it; undefined where no payment module is, or nothing of the cart is known. */
function cartData(): CartData | undefined {
  const settings = connectedSettings()
  return settings?.cart && { ...settings.cart, queryParams: settings.queryParams, page: settings.generalData.page }
}

/** Keeps the payment settings' side of the cart up to date. Whoever listens for `walletEvents.cartData` hears of it. */
export function startCartData(): void {
  if (!connectedSettings()) return
  for (const event of [cartPageEvents.replaced, checkoutEvents.updated, cartEvents.fragmentsRefreshed])
    listen(document.body, event, () => void refreshCartData())
}

/** One at a time: what comes while one runs is told by that one. A failure is logged, and the data stay as they are. */
export function refreshCartData(): Promise<void> {
  processing ??= refresh().finally(() => {
    processing = undefined
  })
  return processing
}

async function refresh(): Promise<void> {
  const settings = connectedSettings()
  if (!settings) return
  try {
    const { generalData } = settings
    const { ok, status, text } = await request(routeUrl(generalData, paymentRoutes.cartRefresh), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify({ page: generalData.page }),
    })
    const answer = parseJson(text)
    if (!ok || !isRecord(answer) || !isRecord(answer.cart)) throw new Error(`cart/refresh answered ${status}`)
    // Proof of the casts: the shop's own route answers with these members of the settings it printed.
    settings.cart = answer.cart as NonNullable<PaymentSettings['cart']>
    if (isRecord(answer.queryParams))
      settings.queryParams = { ...answer.queryParams, ...ownParameters(settings) } as Record<string, string>
    trigger(document.body, walletEvents.cartData, cartData())
  } catch (error) {
    console.error('the cart could not be read again for the payment buttons', error)
  }
}

/**
 * What the page needs of the provider's script, and the tokens that it was given, do not follow the cart; nor does the
 * currency of an order that was placed before.
 */
function ownParameters({ queryParams, order }: PaymentSettings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(queryParams).filter(
      ([name]) => name === 'components' || name.startsWith('data-') || (order && name === 'currency'),
    ),
  )
}
