import type { PayPalButtonStyle, PayPalButtonsComponentOptions, PayPalNamespace } from '@paypal/paypal-js'
import type { WalletButtonStyle } from '#contract/payments/page-settings.ts'
import type { Funding } from '#domain/payments/funding-sources.ts'
import { isWindowClosed, PaymentFailure } from '../payment-failure.ts'
import type { AttemptCallbacks, MountedButton, OpenWallet, ShippingChange, WalletButtonOptions } from '../provider.ts'
import { renderedWithinMs, within } from '../timeouts.ts'

/** The typings lack `onDestroy` of the component, and the texts for a refused address. */
type ButtonOptions = PayPalButtonsComponentOptions & { onDestroy: () => void }
type AddressChange = Parameters<NonNullable<PayPalButtonsComponentOptions['onShippingAddressChange']>>[0]
type OptionChange = Parameters<NonNullable<PayPalButtonsComponentOptions['onShippingOptionsChange']>>[0]
type Refusals = { readonly errors?: Readonly<Record<string, string>> }

/** A wallet that does not return its owner in time is skipped: the buyer is waiting. */
const payerWithinMs = 8000

/** Renders a wallet button by the v5 script. @returns null when the provider does not offer it here */
export async function mountButtonV5(
  sdk: PayPalNamespace,
  container: HTMLElement,
  { funding, style, enabled, attempt }: WalletButtonOptions,
): Promise<MountedButton | null> {
  if (!sdk.Buttons) throw new Error('the payment script came without buttons')

  let wanted = enabled
  let actions: { enable(): Promise<void>; disable(): Promise<void> } | undefined
  const apply = () => {
    // A removed button cannot be updated any more.
    void (wanted ? actions?.enable() : actions?.disable())?.catch(() => {})
  }

  const options: ButtonOptions = {
    fundingSource: funding,
    style: buttonStyle(funding, style),
    onInit(_, given) {
      actions = given
      if (!wanted) apply()
    },
    onClick: (_, { resolve, reject }) => (attempt.clicked(funding) ? resolve() : reject()),
    ...wayToPay(attempt),
    ...(funding === 'venmo' ? {} : shippingCallbacks(attempt)),
    onApprove: ({ orderID, vaultSetupToken }, { restart, order }) =>
      vaultSetupToken
        ? (attempt.kept?.(vaultSetupToken) ?? Promise.resolve())
        : attempt.approved(orderID, { restart, payer: () => payerWithin(payerWithinMs, () => order?.get()) }),
    onCancel: ({ orderID }) => attempt.cancelled(typeof orderID === 'string' ? orderID : undefined),
    onError: (error) => attempt.failed(error),
    onDestroy: () => attempt.destroyed(),
  }
  const button = sdk.Buttons(options)
  if (!button.isEligible()) return null
  const close = () => {
    button.close().catch((error: unknown) => {
      if (!isWindowClosed(error)) console.error('the payment button did not close', error)
    })
  }
  try {
    await within(renderedWithinMs, button.render(container))
  } catch (error) {
    close()
    throw error
  }

  return {
    setEnabled(next) {
      wanted = next
      apply()
    },
    close,
  }
}

/** The script decides between charging and saving by the callbacks that it receives. */
function wayToPay({ createOrder, createSetupToken }: AttemptCallbacks) {
  return createSetupToken ? { createVaultSetupToken: () => createSetupToken() } : { createOrder: () => createOrder() }
}

/** With a text for the buyer, which the typings lack. */
type Refuse = { reject(message?: string): Promise<void> }

function shippingCallbacks({ shippingChanged }: AttemptCallbacks) {
  if (!shippingChanged) return undefined
  const ask = async (change: ShippingChange, { reject }: Refuse, ready: string) => {
    try {
      await shippingChanged(change)
    } catch (error) {
      // The shop's own text, else the script's text in the buyer's language.
      await reject((error instanceof PaymentFailure && error.message) || ready)
    }
  }
  return {
    onShippingAddressChange: ({ orderID = '', shippingAddress, errors }: AddressChange & Refusals, actions: Refuse) => {
      const { city = '', state = '', countryCode = '', postalCode = '' } = shippingAddress
      const address = { city, state, postcode: postalCode, country: countryCode }
      return ask({ walletOrderId: orderID, address }, actions, errors?.ADDRESS_ERROR ?? '')
    },
    onShippingOptionsChange: (
      { orderID = '', selectedShippingOption, errors }: OptionChange & Refusals,
      actions: Refuse,
    ) => {
      const option = selectedShippingOption?.id
      const change = { walletOrderId: orderID, ...(option ? { option } : {}) }
      return ask(change, actions, errors?.METHOD_UNAVAILABLE ?? '')
    },
  }
}

async function payerWithin(timeoutMs: number, get: () => Promise<unknown> | undefined) {
  const reading = async (): ReturnType<OpenWallet['payer']> => {
    const [order, { payerOfOrder }] = await Promise.all([get(), import('./wallet-payer.ts')])
    return payerOfOrder(order)
  }
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, timeoutMs, undefined))
  // The shopper has typed, or will be asked for, any data that the wallet does not share.
  return Promise.race([reading().catch(() => undefined), late])
}

/** The script throws on incompatible styles: a vertical button with a tagline, an unknown label. */
function buttonStyle(funding: Funding, given: WalletButtonStyle): PayPalButtonStyle {
  const { color, shape, label, tagline } = given
  const height = Number.parseInt(String(given.height), 10)
  // The vertical card button has a tagline of its own.
  if (funding === 'card')
    return { layout: tagline ? 'vertical' : 'horizontal', color, shape, height, ...knownLabel(label) }
  const look = { layout: given.layout, shape, height, tagline: tagline && given.layout === 'horizontal' }
  // Venmo defines colour and label of its button itself.
  return funding === 'venmo' ? look : { ...look, color, ...knownLabel(label) }
}

const labels = ['paypal', 'checkout', 'buynow', 'pay'] as const

function knownLabel(label: string): Pick<PayPalButtonStyle, 'label'> {
  const found = labels.find((candidate) => candidate === label)
  return found ? { label: found } : {}
}
