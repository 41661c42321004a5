import { shipsTo } from '../addresses/allowed-countries.ts'
import type { EvaluatedCart } from '../cart/evaluated-cart.ts'
import { needsSetupToken } from '../payments/vault/needs-setup-token.ts'
import type { Tools } from '../shared/tools.ts'
import { type AccountOffer, accountFaults } from './checkout-account.ts'
import type { CheckoutForm, FormFault } from './checkout-form.ts'

/**
 * Validates a form for this cart, and returns all faults in the order of the fields.
 * @param account the account options for a visitor without a login
 */
export async function formFaults(
  tools: Pick<Tools, 'settings' | 'breachedPasswords' | 'log' | 'terms'>,
  form: CheckoutForm,
  cart: EvaluatedCart,
  account: AccountOffer | null,
): Promise<readonly FormFault[]> {
  const { settings } = tools
  const faults = [...form.addressFaults.billing]
  if (cart.needsShipping && form.shipToDifferent) faults.push(...form.addressFaults.shipping)
  if (account) faults.push(...(await accountFaults(tools, account, form)))
  if (tools.terms() && !form.terms.accepted) faults.push({ code: 'terms', field: 'terms' })
  // A refused billing country is not reported again as shipping country.
  const refused = faults.some((fault) => fault.code === 'address' && fault.fault.reason === 'country-not-offered')
  if (cart.needsShipping && !refused) {
    const { country } = form.shipping
    if (country === '') faults.push({ code: 'shipping-country' })
    else if (!shipsTo(settings, country)) faults.push({ code: 'shipping-destination', country })
    else if (!isShippingChosen(cart)) faults.push({ code: 'shipping-method' })
  }
  const needsPayment = cart.totals.total.minor > 0 || needsSetupToken(cart)
  if (needsPayment && !cart.methods.some(({ id }) => id === form.paymentMethod)) {
    faults.push({ code: 'payment-method' })
  }
  return faults
}

/** Reports whether every package has a chosen rate. */
function isShippingChosen({ packages }: EvaluatedCart): boolean {
  return packages.length > 0 && packages.every(({ chosen }) => chosen !== null)
}
