import {
  cardMethodId,
  fastlaneHooks,
  paymentFields,
  providerMethods,
  walletOrderField,
} from '#contract/payments/constants.ts'

/**
 * Fields of a form that pays or keeps a way to pay, in which the browser carries what the provider has approved. They stand
 * outside of markup that comes anew.
 * @param walletOrder the wallet order that the visitor has approved elsewhere
 */
export function PaymentHiddenFields({ walletOrder = '' }: { walletOrder?: string }) {
  const names = providerMethods.flatMap((method) => {
    const { order, billingToken, paymentToken } = paymentFields(method)
    return [order, billingToken, paymentToken, ...(method === cardMethodId ? [fastlaneHooks.flagField] : [])]
  })
  return names.map((name) => (
    <input key={name} type="hidden" name={name} id={name} defaultValue={name === walletOrderField ? walletOrder : ''} />
  ))
}
