import { walletMethodId } from '#contract/payment-words.ts'
import type { PaymentMethodFacts } from './checkout-facts.ts'
import type { Tools } from './tools.ts'

/** The ways to pay that this shop offers, the wallet first. @param chosen the visitor's choice so far */
export function paymentMethods(
  { settings, paypal }: Pick<Tools, 'settings' | 'paypal'>,
  chosen: string,
): PaymentMethodFacts[] {
  const methods: Omit<PaymentMethodFacts, 'chosen'>[] = []
  if (paypal && settings.paypal.enabled && settings.paypal.sections.includes('checkout')) {
    methods.push({
      id: walletMethodId,
      title: 'PayPal',
      description: 'You approve the payment in a PayPal window, then your order is placed.',
      orderButtonText: 'Pay with PayPal',
    })
  }
  if (settings.cashOnDelivery) {
    methods.push({
      id: 'cod',
      title: 'Cash on delivery',
      description: 'Pay with cash when your order is delivered.',
      orderButtonText: '',
    })
  }
  const first = methods.some(({ id }) => id === chosen) ? chosen : methods[0]?.id
  return methods.map((method) => ({ ...method, chosen: method.id === first }))
}
