import type { PayPalNamespace } from '@paypal/paypal-js'
import { isRecord } from '../../../runtime/request.ts'
import { isWindowClosed, PaymentFailure } from '../payment-failure.ts'
import type { Accelerated, AcceleratedOptions, AcceleratedPayment } from '../provider.ts'
import { authenticationOf, cardOf, shippingOf, toAcceleratedAddress } from './accelerated-shapes.ts'

/** Locale by page language; the script supports no others. */
const locales: Readonly<Record<string, string>> = { en: 'en_us', es: 'es_us', fr: 'fr_us', zh: 'zh_us' }

/** Starts accelerated checkout by the v5 script. @returns null when the merchant is not enabled for it */
export async function startAcceleratedV5(
  sdk: PayPalNamespace,
  { shipsTo, cardholderName, language }: AcceleratedOptions,
): Promise<Accelerated | null> {
  if (typeof Reflect.get(sdk, 'Fastlane') !== 'function') return null
  const options = {
    styles: { root: { backgroundColor: 'transparent' } },
    ...(shipsTo.length > 0 ? { shippingAddressOptions: { allowedLocations: shipsTo } } : {}),
  }
  const fastlane = await call(sdk, 'Fastlane', options)
  if (!isRecord(fastlane)) return null
  const locale = locales[language.slice(0, 2)] ?? 'en_us'
  await call(fastlane, 'setLocale', locale)
  const fields = { cardholderName: { enabled: cardholderName } }

  return {
    async showWatermark(container) {
      const watermark = await call(fastlane, 'FastlaneWatermarkComponent', { includeAdditionalInfo: true })
      await call(watermark, 'render', `#${idOf(container)}`)
    },
    async lookUp(email) {
      const answer = await call(fastlane.identity, 'lookupCustomerByEmail', email)
      const customer = isRecord(answer) ? answer.customerContextId : undefined
      return typeof customer === 'string' && customer !== '' ? customer : undefined
    },
    authenticate: async (customer) =>
      authenticationOf(await call(fastlane.identity, 'triggerAuthenticationFlow', customer)),
    async chooseAddress() {
      const choice = await call(fastlane.profile, 'showShippingAddressSelector')
      return isRecord(choice) && choice.selectionChanged ? shippingOf(choice.selectedAddress) : undefined
    },
    async chooseCard() {
      const choice = await call(fastlane.profile, 'showCardSelector')
      return isRecord(choice) && choice.selectionChanged ? cardOf(choice.selectedCard) : undefined
    },
    async mountPayment(container, address) {
      const shippingAddress = toAcceleratedAddress(address)
      const payment = await call(fastlane, 'FastlanePaymentComponent', {
        fields,
        ...(shippingAddress ? { shippingAddress: { address: shippingAddress } } : {}),
      })
      await call(payment, 'render', `#${idOf(container)}`)
      return mountedPayment(payment, container)
    },
  }
}

function mountedPayment(payment: unknown, container: HTMLElement): AcceleratedPayment {
  return {
    async token() {
      const card = cardOf(await call(payment, 'getPaymentToken'))
      if (card) return card
      throw new PaymentFailure('The payment script gave no card.', { code: 'unreachable' })
    },
    close: () => container.replaceChildren(),
  }
}

/**
 * Calls a method of the script. This part has no typings: methods are looked up at the call, and their results are
 * validated.
 * @throws PaymentFailure with the script's own code; an error without a code means that the provider is unreachable
 */
async function call(part: unknown, method: string, ...args: unknown[]): Promise<unknown> {
  const own = typeof part === 'object' && part !== null ? Reflect.get(part, method) : undefined
  // The selectors are missing where the merchant lacks them: nothing is selected.
  if (typeof own !== 'function') return undefined
  try {
    return await own.apply(part, args)
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    const code = isRecord(cause) && typeof cause.code === 'string' ? cause.code : undefined
    throw new PaymentFailure(said, { code: isWindowClosed(cause) ? 'closed' : (code ?? codeIn(said)), cause })
  }
}

/** The script rejects a card with codes for its whole text: the first code is sufficient. */
const codeIn = (said: string): string => /^[A-Z]+(?:_[A-Z]+)+(?=$|, )/.exec(said)?.[0] ?? 'unreachable'

let places = 0

/** The script finds its containers by selector. */
function idOf(container: HTMLElement): string {
  places += 1
  container.id ||= `accelerated-${places}`
  return container.id
}
