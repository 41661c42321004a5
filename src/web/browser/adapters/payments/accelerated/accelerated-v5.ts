import type { PayPalNamespace } from '@paypal/paypal-js'
import { isRecord } from '../../../runtime/request.ts'
import { isWindowClosed, PaymentFailure } from '../payment-failure.ts'
import type { Accelerated, AcceleratedOptions, AcceleratedPayment } from '../provider.ts'
import { authenticationOf, cardOf, shippingOf, toAcceleratedAddress } from './accelerated-shapes.ts'

/** By the language of the page; the script knows no others. */
const locales: Readonly<Record<string, string>> = { en: 'en_us', es: 'es_us', fr: 'fr_us', zh: 'zh_us' }

/** Accelerated checkout by the script of generation 5. @returns null when the merchant does not have it */
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
      return mounted(payment, container)
    },
  }
}

function mounted(payment: unknown, container: HTMLElement): AcceleratedPayment {
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
 * Calls a method of the script's. No typings name this part of it: methods are looked up as they are called, and what they
 * give is read with care.
 * @throws PaymentFailure that keeps the script's own code; one without is the provider out of reach
 */
async function call(part: unknown, method: string, ...args: unknown[]): Promise<unknown> {
  const own = typeof part === 'object' && part !== null ? Reflect.get(part, method) : undefined
  // The selectors are missing where the merchant does not have them: nothing is chosen.
  if (typeof own !== 'function') return undefined
  try {
    return await own.apply(part, args)
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    const code = isRecord(cause) && typeof cause.code === 'string' ? cause.code : undefined
    throw new PaymentFailure(said, { code: isWindowClosed(cause) ? 'closed' : (code ?? codeIn(said)), cause })
  }
}

/** The script refuses a card with codes for its whole text: the first of them is enough to go on with. */
const codeIn = (said: string): string => /^[A-Z]+(?:_[A-Z]+)+(?=$|, )/.exec(said)?.[0] ?? 'unreachable'

let places = 0

/** The script finds its places by selector. */
function idOf(container: HTMLElement): string {
  places += 1
  container.id ||= `accelerated-${places}`
  return container.id
}
