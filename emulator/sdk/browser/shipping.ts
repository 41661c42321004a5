import type { ButtonOptions } from './button-options.ts'
import type { FrameLink } from './frame-link.ts'
import { buildOrderPatch, type PatchWish } from './order-patch.ts'
import type { ShippingQuestion, ShippingVerdict } from './wire.ts'

/** Ready-made refusals, for the page to hand back. */
const ADDRESS_ERRORS = {
  ADDRESS_ERROR: "Your order can't be shipped to this address.",
  COUNTRY_ERROR: "Your order can't be shipped to this country.",
  STATE_ERROR: "Your order can't be shipped to this state.",
  ZIP_ERROR: "Your order can't be shipped to this zip.",
}
const OPTION_ERRORS = {
  METHOD_UNAVAILABLE:
    'The shipping method you chose is unavailable. To continue, choose another way to get your order.',
  STORE_UNAVAILABLE: "Part of your order isn't available at this store.",
}
const REFUSED = 'The shop cannot send your order there.'

/** Asks the page whether it can ship so. A fault of its callback refuses, and is thrown on by `report`. */
export async function requestShippingUpdate(
  question: ShippingQuestion,
  orderID: string,
  options: ButtonOptions,
  link: FrameLink,
  report: (error: unknown) => void,
): Promise<ShippingVerdict> {
  const { id, what } = question
  const callback = what === 'address' ? options.onShippingAddressChange : options.onShippingOptionsChange
  const old = options.onShippingChange
  if (!callback && !old) return { id, verdict: 'own' }
  let refusal: string | undefined
  const reject = (message?: unknown) => {
    refusal = typeof message === 'string' && message !== '' ? message : REFUSED
    return Promise.resolve()
  }
  try {
    if (callback) {
      const data = what === 'address' ? addressData(question, orderID) : optionData(question, orderID)
      await callback(data, {
        reject,
        buildOrderPatchPayload: (wish: PatchWish = {}) => buildOrderPatch(question, wish),
      })
    } else {
      await old?.(oldData(question, orderID), oldActions(orderID, link, reject))
    }
  } catch (error) {
    refusal ??= REFUSED
    report(error)
  }
  return refusal === undefined ? { id, verdict: 'accepted' } : { id, verdict: 'refused', message: refusal }
}

const camelCase = ({ currency_code, value }: ShippingQuestion['amount']) => ({ currencyCode: currency_code, value })

function addressData({ amount, address }: ShippingQuestion, orderID: string) {
  const { city, state, country_code, postal_code } = address
  return {
    orderID,
    amount: camelCase(amount),
    shippingAddress: { city, state, countryCode: country_code, postalCode: postal_code },
    errors: ADDRESS_ERRORS,
  }
}

function optionData({ option }: ShippingQuestion, orderID: string) {
  const selected = option && {
    id: option.id,
    label: option.label,
    type: option.type ?? 'SHIPPING',
    selected: true,
    ...(option.amount ? { amount: camelCase(option.amount) } : {}),
  }
  return { orderID, selectedShippingOption: selected, errors: OPTION_ERRORS }
}

function oldData({ address, option }: ShippingQuestion, orderID: string) {
  return {
    orderID,
    paymentID: orderID,
    paymentToken: orderID,
    shipping_address: address,
    ...(option ? { selected_shipping_option: { type: 'SHIPPING', ...option, selected: true } } : {}),
    forceRestAPI: true,
  }
}

function oldActions(orderID: string, link: FrameLink, reject: (message?: unknown) => Promise<void>) {
  const path = `/v2/checkout/orders/${encodeURIComponent(orderID)}`
  return {
    resolve: () => Promise.resolve(),
    reject,
    order: {
      patch: (operations: unknown) =>
        link.ask('PATCH', path, operations).catch(() => {
          throw new Error('Order could not be patched')
        }),
    },
  }
}
