import { isProviderMethod, type ProviderMethod } from '#contract/payments/constants.ts'
import { accountOffer } from '#shop/checkout/checkout-account.ts'
import type { SavedMethodFacts } from '#shop/customers/account-facts.ts'
import type { PaymentMethodFacts, SavedMethodChoice } from '#shop/payments/operation/payment-method-facts.ts'
import { isSavable } from '#shop/payments/operation/payment-methods.ts'
import { readChargeableMethods } from '#shop/payments/vault/saved-methods.ts'
import { expiryMonth, methodName } from '#web/pages/payments/payment-methods-page.tsx'
import type { ShopContextValue } from '#web/parts/shared/shop-context.tsx'
import type { Visit } from '../http/visit.ts'

/**
 * Adds the visitor's saved payment methods to each method, and whether more may be saved. An expired card is marked and
 * not chosen.
 */
export async function withSavedMethods(
  visit: Visit,
  methods: readonly PaymentMethodFacts[],
): Promise<PaymentMethodFacts[]> {
  const { tools } = visit.app
  const session = await visit.session()
  const offer = accountOffer(tools, session)
  const keeps = session.customerId !== null || (offer?.kind === 'open' && offer.forced)
  const shop = await visit.app.shop()
  const saved =
    session.customerId === null || !methods.some(({ id }) => isProviderMethod(id))
      ? []
      : await readChargeableMethods(tools, session.customerId)
  return methods.map((method) => {
    const { id } = method
    if (!isProviderMethod(id)) return method
    const kept = choicesOf(shop, id, saved)
    return {
      ...method,
      ...(kept.length > 0 ? { kept } : {}),
      ...(keeps && isSavable(tools, id) ? { canKeep: true } : {}),
    }
  })
}

type Saved = Omit<SavedMethodFacts, 'deleteUrl' | 'defaultUrl'> & { method: string }

function choicesOf(shop: ShopContextValue, method: ProviderMethod, saved: readonly Saved[]): SavedMethodChoice[] {
  const own = saved.filter((one) => one.method === method)
  // The default comes first.
  const chosen = own.find(({ expired }) => !expired)
  return own.map((one) => ({ id: one.id, label: labelOf(shop, one), brand: one.brand, chosen: one === chosen }))
}

function labelOf(shop: ShopContextValue, one: Saved): string {
  const name = methodName(shop, one)
  if (one.expires === '') return name
  const month = expiryMonth(shop, one.expires)
  return one.expired ? shop.t('%s (expired %s)', name, month) : shop.t('%s (expires %s)', name, month)
}
