import { cardMethodId, paymentFields } from '#contract/payments/constants.ts'
import { createOrder } from '#tests/support/payments/saved-methods.ts'
import type { CheckoutAnswer } from '../support/shopper.ts'
import { again, checkoutAnswer, look, orderReceivedIn, readConfirmation, shown, type Visit } from './visit.ts'

/** Cards by what their bank says; the tables of the emulator have more. */
const cards = {
  good: {},
  declined: { number: '4000000000000002' },
  refused: { number: '4000000000000119' },
  'holder asked': { number: '4000000000001109', verification: 'SCA_ALWAYS' },
  'holder not known': { number: '4000000000001133', verification: 'SCA_ALWAYS' },
} as const
type Card = keyof typeof cards
const usual: readonly [Card, ...Card[]] = [
  'good',
  'good',
  'good',
  'declined',
  'refused',
  'holder asked',
  'holder not known',
]

/** Types a card into the provider's fields, and another one where that does not do. */
export async function payByCard(visit: Visit): Promise<'bought' | 'left'> {
  const { street } = visit
  const { luck, tally, turns } = street
  for (let tries = 0; tries < 4; tries += 1) {
    const html = await look(visit)
    if (!html.includes('intention')) return 'left'
    const fields = { ...shown(visit), ...(visit.hasAccount && { [paymentFields(cardMethodId).save]: '1' }) }
    const opened = await again(street, async () => {
      const response = await createOrder(visit.shopper, cardMethodId, fields)
      if (response.status >= 500) throw new Error(`the shop answered ${response.status}`)
      return response.json() as Promise<unknown>
    })
    if (typeof opened !== 'string') {
      await turns.pause(luck.between(1_000, 60_000), 'a shopper reads why not')
      continue
    }
    await turns.pause(luck.between(2_000, 40_000), 'a shopper types a card')
    const card = luck.pick(usual)
    const holder = await confirmed(visit, opened, card)
    if (holder === null) continue
    tally.count(`card: ${card}`)
    street.agreed(opened, visit.seen)
    const answer = await finish(visit, opened, fields)
    if (luck.percent(10)) await finish(visit, opened, fields)
    const received = orderReceivedIn(answer)
    if (received && (await readConfirmation(visit, received))) return 'bought'
    await turns.pause(luck.between(1_000, 30_000), 'a shopper looks for another card')
  }
  return 'left'
}

/**
 * What the fields of the provider do, and the page of the card's bank.
 * @returns whether the bank knows who holds the card; null where the provider takes no card for this order any more
 */
async function confirmed({ street }: Visit, id: string, card: Card): Promise<'known' | 'not known' | null> {
  const { luck, tally, turns, world } = street
  try {
    street.holderKnown(id, card === 'good' || card === 'declined' || card === 'refused')
    await world.emulate(`/orders/${id}/card`, cards[card])
    if (card === 'holder not known') {
      await world.emulate(`/authentication/${id}`, { end: 'by itself' })
      return 'not known'
    }
    if (card !== 'holder asked') return 'known'
    await turns.pause(luck.between(3_000, 60_000), "a shopper is at the bank's page")
    const end = luck.percent(70) ? 'succeeded' : 'failed'
    street.holderKnown(id, end === 'succeeded')
    await world.emulate(`/authentication/${id}`, { end })
    tally.count(`card: its holder ${end}`)
    return end === 'succeeded' ? 'known' : 'not known'
  } catch {
    return null
  }
}

function finish({ street, shopper }: Visit, id: string, fields: Record<string, string>): Promise<CheckoutAnswer> {
  const sent = {
    ...shopper.form(cardMethodId),
    context: 'checkout',
    [paymentFields(cardMethodId).order]: id,
    ...fields,
  }
  return again(street, () => shopper.rest('cart/checkout', sent).then(checkoutAnswer))
}

/** Pays with a card that was kept before, in one press; somebody without one types a card. */
export async function payBySavedCard(visit: Visit): Promise<'bought' | 'left'> {
  const { street, shopper } = visit
  const { luck, tally, turns } = street
  const { kept } = paymentFields(cardMethodId)
  for (let tries = 0; tries < 4; tries += 1) {
    const html = await look(visit)
    const id = new RegExp(`name="${kept}"[^>]*value="(\\d+)"|value="(\\d+)"[^>]*name="${kept}"`).exec(html)
    const token = id?.[1] ?? id?.[2]
    const intention = /name="intention" value="([^"]+)"/.exec(html)?.[1]
    if (!token || !intention) return payByCard(visit)
    tally.count('move: pays with a kept card')
    const fields = { ...shopper.form(cardMethodId), ...shown(visit), intention, [kept]: token }
    const press = () => again(street, () => shopper.post('/?wc-ajax=checkout', fields).then(checkoutAnswer))
    const twice = luck.percent(20)
    const answers = await Promise.all(twice ? [press(), press()] : [press()])
    const received = answers.map(orderReceivedIn).find((order) => order !== null)
    if (received) {
      await street.paidAtOnce(received.id, visit.seen)
      if (await readConfirmation(visit, received)) return 'bought'
    }
    await turns.pause(luck.between(1_000, 60_000), 'a shopper reads why not')
  }
  return 'left'
}
