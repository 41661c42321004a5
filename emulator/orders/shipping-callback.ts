import { Refusal } from '../rest/error-bodies.ts'
import { shippingAnswer } from '../rest/schemas.ts'
import { timestamp } from '../world/clock.ts'
import { isLoopback } from '../world/loopback.ts'
import type { LoggedCall, World } from '../world/world.ts'
import type { Amount } from './amounts.ts'
import type { Address, Item, Order, PurchaseUnit, ShippingOption } from './order.ts'
import { readUnits } from './order-request.ts'

/** What the buyer has chosen in the wallet. */
export type ShippingChange = {
  address?: Address
  optionId?: string
  /** For tests: the question names this order instead of its own. */
  orderIdOverride?: string
}

/** `issue`: what the shop refuses with, `NO_ANSWER` when its answer cannot be used, `TOO_LATE` when the buyer has paid meanwhile. */
export type ShopAnswer = { ok: true } | { ok: false; issue: string; status: number }

const TIMEOUT_MS = 5_000
const LONGEST_ANSWER = 1_000_000

/** The parts of an accepting answer; its schema has been checked. */
type Accepted = {
  id: string
  purchase_units: {
    reference_id?: string
    amount: PurchaseUnit['amount']
    items?: Item[]
    shipping_options?: ShippingOption[]
  }[]
}

/**
 * The provider's own question to the shop's server: what does the order cost, sent there or so? An accepting answer is
 * taken over whole or not at all; whatever breaks a rule of an order counts as no answer.
 */
export async function requestShopUpdate(world: World, order: Order, change: ShippingChange): Promise<ShopAnswer> {
  const { callback } = order.experience
  const unit = order.units[0]
  if (!callback || !unit || !isLoopback(callback.url)) return { ok: false, issue: 'NO_ANSWER', status: 0 }
  const entry: LoggedCall = {
    at: timestamp(world.clock.now()),
    operation: 'shop.shipping-callback',
    method: 'POST',
    path: URL.parse(callback.url)?.pathname ?? '',
    debugId: world.ids.debug(),
    status: 0,
    request: question(order, unit, change),
    durationMs: 0,
  }
  world.log.push(entry)
  const startedMs = performance.now()
  const answer = await exchange(callback.url, entry.request)
  entry.status = answer.status
  entry.durationMs = Math.round(performance.now() - startedMs)
  const taken = takeAnswer(order, answer)
  if (!taken.ok) entry.issue = taken.issue
  else order.updatedMs = world.clock.now().getTime()
  return taken
}

function question(order: Order, unit: PurchaseUnit, { address, optionId, orderIdOverride }: ShippingChange): object {
  const option = unit.shipping?.options?.find(({ id }) => id === optionId)
  const { reference_id, custom_id, invoice_id, amount } = unit
  return {
    id: orderIdOverride ?? order.id,
    // Before the buyer has agreed the shop learns the place only, not the street.
    ...(address
      ? {
          shipping_address: {
            country_code: address.country_code,
            ...(address.admin_area_1 === undefined ? {} : { admin_area_1: address.admin_area_1 }),
            ...(address.admin_area_2 === undefined ? {} : { admin_area_2: address.admin_area_2 }),
            ...(address.postal_code === undefined ? {} : { postal_code: address.postal_code }),
          },
        }
      : {}),
    ...(optionId === undefined ? {} : { shipping_option: option ? optionView(option) : { id: optionId } }),
    purchase_units: [
      {
        reference_id,
        amount,
        ...(custom_id === undefined ? {} : { custom_id }),
        ...(invoice_id === undefined ? {} : { invoice_id }),
      },
    ],
  }
}

function optionView({ id, label, type, amount }: ShippingOption): object {
  const described: { id: string; label: string; type?: string; amount?: Amount } = { id, label }
  if (type !== undefined) described.type = type
  if (amount) described.amount = amount
  return described
}

type Exchanged = { status: number; body: unknown }

async function exchange(url: string, body: unknown): Promise<Exchanged> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { 'content-type': 'application/json', 'user-agent': 'PayPal/AUHD-214.0-emulator' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, body: text.length > LONGEST_ANSWER ? undefined : JSON.parse(text) }
  } catch {
    // Refused, too slow or no JSON: for the buyer it is all the same.
    return { status: 0, body: undefined }
  }
}

function takeAnswer(order: Order, { status, body }: Exchanged): ShopAnswer {
  if (status === 422) {
    const issue = (body as { details?: { issue?: unknown }[] } | undefined)?.details?.[0]?.issue
    return { ok: false, issue: typeof issue === 'string' ? issue : 'NO_ANSWER', status }
  }
  if (status !== 200 || !shippingAnswer(body)) return { ok: false, issue: 'NO_ANSWER', status }
  // The schema says: these fields.
  const accepted = body as Accepted
  if (accepted.id !== order.id) return { ok: false, issue: 'NO_ANSWER', status }
  if (order.status !== 'CREATED' && order.status !== 'PAYER_ACTION_REQUIRED') {
    return { ok: false, issue: 'TOO_LATE', status }
  }
  try {
    order.units = readUnits(merged(order.units, accepted), order.experience.shippingPreference)
    return { ok: true }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ok: false, issue: 'NO_ANSWER', status }
  }
}

/** Figures and options are the answer's; what it is silent about stays. */
function merged(units: readonly PurchaseUnit[], { purchase_units }: Accepted): PurchaseUnit[] {
  return units.map((unit) => {
    const news = purchase_units.find(({ reference_id }) => (reference_id ?? 'default') === unit.reference_id)
    if (!news) return unit
    return {
      ...unit,
      amount: news.amount,
      ...(news.items ? { items: news.items } : {}),
      ...(news.shipping_options ? { shipping: { ...unit.shipping, options: news.shipping_options } } : {}),
    }
  })
}
