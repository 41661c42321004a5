import type {
  PayPalCardFieldsComponentOptions,
  PayPalCardFieldsIndividualField,
  PayPalCardFieldsStateObject,
  PayPalNamespace,
} from '@paypal/paypal-js'
import { PaymentFailure } from '../payment-failure.ts'
import type { CardField, CardFieldState, CardOptions, MountedCard } from '../provider.ts'
import { renderedWithinMs, within } from '../timeouts.ts'

/** Error codes of a rejection by the script itself, one or several. Nothing has been sent then. */
const fieldCode = /INVALID_(?:NAME|NUMBER|EXPIRY|CVV)|INELIGIBLE_CARD_VENDOR/

/** The typings cover only orders. */
type KeptCard = Parameters<PayPalCardFieldsComponentOptions['onApprove']>[0] & { readonly vaultSetupToken?: string }

/** Mounts card fields by the v5 script. @returns null when the provider takes no cards here */
export async function mountCardV5(
  sdk: PayPalNamespace,
  { containers, placeholders, styles, attempt, changed, submitted }: CardOptions,
): Promise<MountedCard | null> {
  if (!sdk.CardFields) throw new PaymentFailure('The payment script came without card fields.')
  const heard = (event: 'change' | 'focus' | 'blur') => (state: PayPalCardFieldsStateObject) => {
    const { emittedBy, cards } = state
    const own = emittedBy && statesIn(state)[emittedBy]
    if (own) changed(emittedBy, event, own, cards.length === 1 ? cards[0]?.type : undefined)
  }
  /** The script reports a failure by callback, and rejects the submission for it as well. */
  let told = false
  const failed = (error: unknown) => {
    if (told) return
    told = true
    attempt.failed(error)
  }
  const { createSetupToken } = attempt
  const shared = {
    style: styles,
    inputEvents: {
      onChange: heard('change'),
      onFocus: heard('focus'),
      onBlur: heard('blur'),
      onInputSubmitRequest: () => submitted(),
    },
    onError: failed,
    onCancel: () => attempt.cancelled(),
  }
  const card = sdk.CardFields(
    createSetupToken
      ? {
          ...shared,
          createVaultSetupToken: () => createSetupToken(),
          onApprove: ({ vaultSetupToken = '' }: KeptCard) => attempt.approved({ setupToken: vaultSetupToken }),
        }
      : {
          ...shared,
          createOrder: () => attempt.createOrder(),
          onApprove: ({ orderID }) => attempt.approved({ walletOrderId: orderID }),
        },
  )
  if (!card.isEligible()) return null

  const own = (field: CardField) => {
    const placeholder = placeholders[field]
    return placeholder === undefined ? {} : { placeholder }
  }
  const fields = new Map<CardField, PayPalCardFieldsIndividualField>([
    ['number', card.NumberField(own('number'))],
    ['expiry', card.ExpiryField(own('expiry'))],
    ['cvv', card.CVVField(own('cvv'))],
    ...(containers.name ? [['name', card.NameField(own('name'))] as const] : []),
  ])
  const close = () => {
    for (const field of fields.values()) quietly(field.close())
  }
  try {
    await within(
      renderedWithinMs,
      Promise.all([...fields].map(([name, field]) => field.render(containers[name] ?? containers.number))),
    )
  } catch (cause) {
    close()
    throw new PaymentFailure('The fields for a card did not appear.', { cause })
  }

  return {
    state: async () => statesIn(await card.getState()),
    async submit({ name, address }) {
      told = false
      try {
        await card.submit({ ...(name ? { name } : {}), ...(address ? { billingAddress: { ...address } } : {}) })
      } catch (error) {
        const code = fieldCode.exec(error instanceof Error ? error.message : String(error))?.[0]
        if (code && !told) throw new PaymentFailure(code, { code, cause: error })
        failed(error)
      }
    },
    focus: (name) => quietly(fields.get(name)?.focus()),
    mark(name, fault) {
      const field = fields.get(name)
      if (!field) return
      quietly(fault === '' ? field.removeClass('invalid') : field.addClass('invalid'))
      quietly(field.setAttribute('aria-invalid', String(fault !== '')))
      quietly(field.setMessage(fault))
    },
    close,
  }
}

function statesIn({ fields }: PayPalCardFieldsStateObject): Partial<Record<CardField, CardFieldState>> {
  const { cardNameField, cardNumberField, cardExpiryField, cardCvvField } = fields
  return {
    number: cardNumberField,
    expiry: cardExpiryField,
    cvv: cardCvvField,
    // It exists only where the field is rendered, despite the typings.
    ...(cardNameField ? { name: cardNameField } : {}),
  }
}

/** Ignores the rejection of a field that was removed with its markup. */
function quietly(told: unknown): void {
  Promise.resolve(told).catch(() => {})
}
