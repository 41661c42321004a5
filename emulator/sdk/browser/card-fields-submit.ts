import type { CardFieldsOptions, CardSubmission } from './card-fields.ts'
import type { CardConfirmation, CardConfirmed } from './card-fields-wire.ts'
import { openDialogFrame } from './dialog-frame.ts'
import type { Line } from './line.ts'

type Target = CardConfirmation['target']

/** From the page's order or setup token over the card's confirmation and its bank to the page's `onApprove`. */
export async function confirmCardPayment(
  origin: string,
  numberLine: Line,
  options: CardFieldsOptions,
  { name, billingAddress }: CardSubmission,
): Promise<void> {
  const target = await createTarget(options)
  const confirmation: CardConfirmation = {
    target,
    ...(name === undefined ? {} : { name }),
    ...(billingAddress === undefined ? {} : { billingAddress: restAddress(billingAddress) }),
  }
  let confirmed = await numberLine.ask<CardConfirmed>('confirm', confirmation)
  if (confirmed.actionUrl !== undefined) {
    if ((await askBank(origin, confirmed.actionUrl)) === 'closed') {
      if (!options.onCancel) throw new Error('The authentication of the card was cancelled')
      await options.onCancel()
      return
    }
    confirmed = await numberLine.ask<CardConfirmed>('result', target)
  }
  const { liabilityShift } = confirmed
  await options.onApprove?.(
    target.kind === 'order'
      ? { orderID: target.id, ...(liabilityShift === undefined ? {} : { liabilityShift }) }
      : { vaultSetupToken: target.id },
  )
}

async function createTarget({ createOrder, createVaultSetupToken }: CardFieldsOptions): Promise<Target> {
  if (createVaultSetupToken) {
    const id: unknown = await createVaultSetupToken({})
    if (typeof id !== 'string' || id === '') throw new Error('Expected a vault setup token to be passed')
    return { kind: 'setup-token', id }
  }
  if (!createOrder) throw new Error('Expected prop "createOrder" or "createVaultSetupToken" to be defined')
  const id: unknown = await createOrder({ paymentSource: 'card' })
  if (typeof id !== 'string' || id === '') throw new Error('Expected an order id to be passed')
  return { kind: 'order', id }
}

const ADDRESS_KEYS: Record<string, string> = {
  addressLine1: 'address_line_1',
  addressLine2: 'address_line_2',
  adminArea1: 'admin_area_1',
  adminArea2: 'admin_area_2',
  postalCode: 'postal_code',
  countryCode: 'country_code',
}

/** The address in the words of the REST interface, without what is empty. */
function restAddress(address: Record<string, string>): Record<string, string> {
  const filled = Object.entries(ADDRESS_KEYS).flatMap(([key, name]) => (address[key] ? [[name, address[key]]] : []))
  return Object.fromEntries(filled)
}

/** Shows the bank's page over the shop's until the bank is done or the buyer closes it. */
async function askBank(origin: string, actionUrl: string): Promise<'done' | 'closed'> {
  if (new URL(actionUrl).origin !== origin) throw new Error(`Unexpected address of authentication: ${actionUrl}`)
  const outcome = await openDialogFrame<'done'>(origin, {
    title: 'Card authentication',
    name: '__zoid__three_domain_secure__',
    url: actionUrl,
  })
  return outcome ?? 'closed'
}
