import type { StoreAddressInput } from '#contract/addresses/store-address.ts'
import { storeCart, storeUpdateCustomerInput } from '#contract/cart/store-cart.ts'
import type { AddressKind } from '#domain/addresses/address-fields.ts'
import { postalKeys } from '#domain/addresses/address-fields.ts'
import type { FormFault } from '#shop/checkout/checkout-form.ts'
import { postedAddress } from '#shop/checkout/parse-checkout.ts'
import type { AddressState, SessionState } from '#shop/customers/sessions/session-state.ts'
import { faultNotices } from '../../../checkout/form-notices.ts'
import { type StoreContext, storeCall } from '../shared/store-call.ts'
import { StoreError } from '../shared/store-error.ts'
import { addressFields } from '../shared/store-values.ts'

/** `cart/update-customer` */
export const storeUpdateCustomerCall = storeCall({
  name: 'cart/update-customer',
  method: 'POST',
  summary: 'Change the addresses of the cart',
  tag: 'customer',
  about: 'cart',
  input: storeUpdateCustomerInput,
  output: storeCart,
  async answer(context, posted) {
    const products = (await context.cart.evaluated()).products
    await saveAddresses(context, posted)
    return { body: await context.cart.record(products) }
  },
})

export type PostedAddresses = {
  readonly billing_address?: StoreAddressInput | undefined
  readonly shipping_address?: StoreAddressInput | undefined
}

/**
 * Saves posted members of the addresses in the session; absent ones stay. Missing members are faults only when an order
 * is placed.
 * @throws StoreError for a posted member that is not valid
 */
export async function saveAddresses({ visit, tools }: StoreContext, posted: PostedAddresses): Promise<void> {
  const { state } = await visit.session()
  const faults: FormFault[] = []
  const merged = (kind: AddressKind, given: StoreAddressInput | undefined): Partial<AddressState> => {
    if (!given) return {}
    const known = addressFields(kind, { ...state[kind] })
    const read = postedAddress(tools, kind, { ...known, ...addressFields(kind, given) })
    const named = new Set(Object.entries(given).flatMap(([key, value]) => (value ? [`${kind}_${key}`] : [])))
    faults.push(
      ...read.faults.filter(
        (fault) => fault.code === 'address' && fault.fault.reason !== 'required' && named.has(fault.field),
      ),
    )
    return read.values
  }
  const billing = merged('billing', posted.billing_address)
  const shipping = merged('shipping', posted.shipping_address)
  if (faults.length > 0) throw addressError(await visit.app.shop(), faults)
  await visit.change((now) => {
    const next = withAddresses(now, { billing, shipping }, posted.shipping_address !== undefined)
    return { state: JSON.stringify(next) === JSON.stringify(now) ? now : next, result: undefined }
  }, 'S4')
}

function withAddresses(
  state: SessionState,
  given: { billing: Partial<AddressState>; shipping: Partial<AddressState> },
  namesShipping: boolean,
): SessionState {
  const billing = { ...state.billing, ...given.billing }
  const follows = !namesShipping && !state.shipToDifferent
  const shipping = follows ? { ...billing, email: '' } : { ...state.shipping, ...given.shipping }
  const shipToDifferent = postalKeys.some((key) => billing[key] !== shipping[key])
  const moved = postalKeys.some((key) => shipping[key] !== state.shipping[key])
  return {
    ...state,
    billing,
    shipping,
    shipToDifferent,
    calculatedShipping: state.calculatedShipping || shipping.country !== '',
    // An approval is valid only for its address.
    approvedWallet: moved ? null : state.approvedWallet,
  }
}

type Shop = Awaited<ReturnType<StoreContext['visit']['app']['shop']>>

/** Returns the error for faults of addresses; its code is that of the first fault. */
export function addressError(shop: Shop, faults: readonly FormFault[]): StoreError {
  const texts = faultNotices(shop, faults).map(({ html }) => html)
  const params = Object.fromEntries(
    faults.map((fault, place) => ['field' in fault ? fault.field : fault.code, texts[place] ?? '']),
  )
  return new StoreError(400, addressCode(faults[0]), texts.join(' '), { params })
}

function addressCode(fault: FormFault | undefined): string {
  if (fault?.code !== 'address') return 'woocommerce_rest_invalid_address'
  const { reason, field } = fault.fault
  if (reason === 'country-not-offered' || reason === 'unknown-country')
    return 'woocommerce_rest_invalid_address_country'
  if (field !== 'email') return 'woocommerce_rest_invalid_address'
  return reason === 'required' ? 'woocommerce_rest_missing_email_address' : 'woocommerce_rest_invalid_email_address'
}
