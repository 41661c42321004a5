import { type ProviderMethod, paymentFields, walletMethodId } from '#contract/payments/constants.ts'
import { urls } from '#contract/shared/urls.ts'
import { goodPassword } from '#tests/support/customers/customer.ts'
import type { TestWorld } from '#tests/support/process/process.ts'
import type { TestShop } from '#tests/support/shop.ts'
import { type CheckoutAnswer, Shopper } from '#tests/support/shopper.ts'

/** Wallet and cards, both kept where the customer wants it. */
export const allMethodSettings = {
  paypal: { keep: true, cards: { enabled: true, keep: true } },
}

/** A shopper who has an account and is logged in. */
export async function aLoggedInCustomer(world: TestWorld, name: string, from?: string): Promise<Shopper> {
  const shopper = new Shopper(world, name, from)
  await shopper.add('MUG')
  await shopper.openCheckout()
  const fields = { ...shopper.form('cod'), createaccount: '1', account_password: goodPassword }
  const response = await shopper.post(urls.wcAjax('checkout'), fields)
  const answer = (await response.json()) as CheckoutAnswer
  if (answer.result !== 'success') throw new Error(`no account was opened: ${answer.messages}`)
  return shopper
}

/** A card number of the given ending that passes the check over its digits. */
export function cardNumber(ending: string): string {
  for (let digit = 0; digit < 10; digit += 1) {
    const number = `4${String(digit).padStart(11, '0')}${ending}`
    const sum = [...number].reverse().reduce((total, figure, index) => {
      const size = Number(figure) * (index % 2 === 1 ? 2 : 1)
      return total + (size > 9 ? size - 9 : size)
    }, 0)
    if (sum % 10 === 0) return number
  }
  throw new Error(`no card number ends in ${ending}`)
}

/** Opens a wallet order from the checkout's form, as the buttons and card fields do. */
export async function createOrder(
  shopper: Shopper,
  method: ProviderMethod,
  fields: Record<string, string> = {},
): Promise<Response> {
  return shopper.rest('cart/order', { ...shopper.form(method), context: 'checkout', ...fields })
}

/** Finishes what was approved, as the buttons and card fields do. */
export async function payApproved(
  shopper: Shopper,
  method: ProviderMethod,
  id: string,
  fields: Record<string, string> = {},
): Promise<CheckoutAnswer> {
  const sent = { ...shopper.form(method), context: 'checkout', [paymentFields(method).order]: id, ...fields }
  return (await shopper.rest('cart/checkout', sent)).json() as Promise<CheckoutAnswer>
}

/** Places the order by the form, with fields of the method beside the others. */
export async function placeWith(
  shopper: Shopper,
  method: ProviderMethod,
  fields: Record<string, string>,
): Promise<CheckoutAnswer> {
  const response = await shopper.post(urls.wcAjax('checkout'), { ...shopper.form(method), ...fields })
  return (await response.json()) as CheckoutAnswer
}

/** An agreement from before there was a vault, which a shopper began here and has agreed to. @returns its token */
export async function anAgreement(shop: Pick<TestShop, 'emulate'>, shopper: Shopper): Promise<string> {
  const begun = await shopper.rest('billing-agreement/token', { payment_method: walletMethodId, context: 'checkout' })
  const agreement = String(await begun.json())
  await shop.emulate(`/agreement-tokens/${agreement}/approve`, {})
  return agreement
}
