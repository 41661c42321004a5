import {
  cardMethodId,
  fastlaneHooks,
  paymentFields,
  providerMethods,
  walletOrderField,
} from '#contract/payments/constants.ts'

/**
 * Hidden fields of a form that pays or saves a payment method, for values that the provider has approved. They stand
 * outside of markup that is replaced.
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
