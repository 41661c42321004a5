import { checkoutEvents } from '#contract/checkout/events.ts'
import { paymentRoutes, walletEvents } from '#contract/payments/constants.ts'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import { cartEvents, cartPageEvents } from '#contract/shared/events.ts'
import { listen, trigger } from '../../runtime/events.ts'
import { isRecord, parseJson, request } from '../../runtime/request.ts'
import { connectedSettings } from './payment-settings.ts'
import { routeUrl } from './rest-calls.ts'

/** The cart data of the payment code. */
type CartData = NonNullable<PaymentSettings['cart']> & {
  /** Parameters of the provider's script. */
  readonly queryParams: Readonly<Record<string, string>>
  readonly page: string
}

let processing: Promise<void> | undefined

/** Returns the cart of the page or the last refresh; undefined without a payment module or cart data. */
function cartData(): CartData | undefined {
  const settings = connectedSettings()
  return settings?.cart && { ...settings.cart, queryParams: settings.queryParams, page: settings.generalData.page }
}

/** Keeps the cart part of the payment settings up to date. Listeners of `walletEvents.cartData` are notified. */
export function startCartData(): void {
  if (!connectedSettings()) return
  for (const event of [cartPageEvents.replaced, checkoutEvents.updated, cartEvents.fragmentsRefreshed])
    listen(document.body, event, () => void refreshCartData())
}

/**
 * Refreshes one at a time: a call during a refresh shares its result. A failure is logged, and the data stay unchanged.
 */
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

/** The page's own script parameters and tokens do not follow the cart; nor does the currency of an existing order. */
function ownParameters({ queryParams, order }: PaymentSettings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(queryParams).filter(
      ([name]) => name === 'components' || name.startsWith('data-') || (order && name === 'currency'),
    ),
  )
}
