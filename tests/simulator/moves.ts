import { walletOrderField } from '#contract/payment-words.ts'
import { urls } from '#contract/urls.ts'
import { submitCart } from '../support/cart.ts'
import { type CheckoutAnswer, Shopper, type VisitedWorld } from '../support/shopper.ts'
import type { Luck } from './chance.ts'
import type { Tally } from './tally.ts'
import type { Turns } from './turns.ts'

export type Street = {
  readonly world: VisitedWorld
  readonly turns: Turns
  readonly luck: Luck
  readonly tally: Tally
  /** The buyer approves in the wallet. @returns the amount that the wallet showed, in minor units; null where it refuses */
  approve(walletOrderId: string, buyer: string): Promise<number | null>
  /** The shopper agrees on our own page to another total than the wallet had shown. */
  agreed(walletOrderId: string, seenMinor: number | null): void
  /** A press has placed an order. */
  placed(orderId: number): Promise<void>
  /** A page has said that the order is received. */
  confirmed(orderId: number): void
}

type Visit = {
  readonly street: Street
  readonly shopper: Shopper
  /** Of the shopper's last look at the checkout, in minor units. */
  seen: number | null
  /** Wallet orders that the shopper has said yes to. */
  readonly approved: Set<string>
  /** The cart was changed on purpose after ordering. */
  strayed: boolean
}

const goods: readonly [string, ...string[]] = ['MUG', 'MUG', 'BOWL', 'ONE', 'CARD', 'LAST', 'SHIRT-SAND']
const mostTries = 25

/** A person whose page does not load waits a moment and does the same again; after a while they go. */
async function again<Value>({ turns, luck }: Street, work: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries >= mostTries || error instanceof Gone) throw error
      await turns.pause(luck.between(300, 20_000), 'a shopper tries again')
    }
  }
}

/** The shopper has gone. */
class Gone extends Error {}

/** One person who wants to buy one cart, with all the patience and the clumsiness of people. */
export async function purchase(street: Street, name: string, from: string): Promise<'bought' | 'left'> {
  const { luck, tally } = street
  const shopper = new Shopper(street.world, name, from)
  const visit: Visit = { street, shopper, seen: null, approved: new Set(), strayed: false }
  try {
    await fillCart(visit)
    const express = luck.percent(25)
    tally.count(express ? 'way: express' : 'way: checkout')
    const end = await (express ? payExpress(visit) : payFromCheckout(visit))
    tally.count(`shopper: ${end}`)
    return end
  } catch (error) {
    if (
      !(error instanceof Gone) &&
      !(error instanceof Error && /does not sell|connection|the shop/.test(error.message))
    ) {
      tally.violated('P6', null, `a shopper met ${error instanceof Error ? error.stack : String(error)}`)
    }
    tally.count('shopper: gave up')
    return 'left'
  }
}

async function fillCart(visit: Visit): Promise<void> {
  const { street, shopper } = visit
  const { luck, tally } = street
  const add = () =>
    shopper.add(luck.pick(goods), luck.between(1, 3)).catch((error: unknown) => {
      if (!(error instanceof Error && error.message.includes('does not sell'))) throw error
    })
  await again(street, add)
  if (luck.percent(30)) await again(street, add)
  if (luck.percent(10)) {
    tally.count('move: adds twice at once')
    await Promise.all([again(street, add), again(street, add)])
  }
  if ((await again(street, () => shopper.pieces())) === 0) throw new Gone()
  if (luck.percent(20)) {
    tally.count('move: coupon')
    await again(street, () =>
      submitCart(shopper, { coupon_code: luck.pick(['tenth', 'five', 'few']), apply_coupon: '1' }),
    )
  }
}

async function look(visit: Visit): Promise<string> {
  const html = await again(visit.street, () => visit.shopper.openCheckout())
  visit.seen = totalIn(html)
  return html
}

/** Presses the button; a nervous finger presses it twice, and somebody has it open in two tabs. */
async function press(visit: Visit): Promise<CheckoutAnswer[]> {
  const { street, shopper } = visit
  // What was approved before is kept, and its money is taken by this button, beside the total that stands there.
  for (const token of visit.approved) street.agreed(token, visit.seen)
  const once = async (who: Shopper) => {
    const answer = await again(street, () => who.placeOrder())
    if (answer.result === 'success' && answer.order_id) await street.placed(answer.order_id)
    return answer
  }
  if (street.luck.percent(15)) {
    street.tally.count('move: double press')
    return Promise.all([once(shopper), once(shopper.anotherTab())])
  }
  return [await once(shopper)]
}

async function payFromCheckout(visit: Visit): Promise<'bought' | 'left'> {
  const { street } = visit
  const { luck, turns } = street
  for (let tries = 0; tries < 5; tries += 1) {
    const html = await look(visit)
    if (!html.includes('name="checkout"') && !html.includes('intention')) return 'left'
    if (luck.percent(10)) await turns.pause(luck.between(60_000, 600_000), 'a shopper thinks')
    const answers = await press(visit)
    const received = answers.map(orderReceivedIn).find((order) => order !== null)
    if (received) {
      if (await readConfirmation(visit, received)) return 'bought'
      continue
    }
    const tokens = [...new Set(answers.flatMap((answer) => tokenIn(answer.redirect) ?? []))]
    if (tokens.length === 0) {
      await turns.pause(luck.between(1_000, 60_000), 'a shopper reads why not')
      continue
    }
    const end = await atTheWallet(visit, tokens)
    if (end) return end
  }
  return 'left'
}

async function payExpress(visit: Visit): Promise<'bought' | 'left'> {
  const { street, shopper } = visit
  const response = await again(street, async () => {
    const answer = await shopper.post(urls.walletStart(), {})
    if (answer.status >= 500) throw new Error(`the shop answered ${answer.status}`)
    return answer
  })
  const token = tokenIn(response.headers.get('location'))
  if (!token) return payFromCheckout(visit)
  const end = await atTheWallet(visit, [token])
  return end ?? payFromCheckout(visit)
}

/** @returns null where the shopper stands before the checkout again */
async function atTheWallet(visit: Visit, tokens: readonly string[]): Promise<'bought' | 'left' | null> {
  const { street, shopper } = visit
  const { luck, tally, turns } = street
  await turns.pause(
    luck.percent(5) ? luck.between(30 * 60_000, 90 * 60_000) : luck.between(2_000, 60_000),
    'a shopper is at the wallet',
  )
  if (luck.percent(8)) {
    tally.count('move: cancels at the wallet')
    await again(street, () => shopper.request(`${urls.walletCancel()}?token=${tokens[0]}`))
    if (luck.percent(30)) return 'left'
    return null
  }
  if (luck.percent(10)) await stray(visit)
  let approved = false
  for (const token of tokens) {
    const shown = await street.approve(token, luck.percent(8) ? 'declined' : 'buyer')
    if (shown === null) continue
    approved = true
    visit.approved.add(token)
  }
  if (luck.percent(8)) await stray(visit)
  if (luck.percent(10)) {
    tally.count('move: never comes back')
    return 'left'
  }
  if (!approved && luck.percent(50)) return null
  await turns.pause(luck.between(100, 4_000), 'a shopper is sent back')
  const back = (who: Shopper, token: string) => again(street, () => who.comeBack(token))
  const wanted = tokens.map((token) => [shopper, token] as const)
  if (luck.percent(15)) {
    tally.count('move: comes back twice')
    wanted.push(...tokens.map((token) => [shopper.anotherTab(), token] as const))
  }
  const places = await Promise.all(wanted.map(([who, token]) => back(who, token)))
  for (const place of places) {
    const order = /\/order-received\/(\d+)\//.exec(place)
    if (order && (await readConfirmation(visit, { id: Number(order[1]), place }))) return 'bought'
  }
  if (places.some((place) => place.includes('order-received'))) return 'left'
  // The final total stands on the checkout now, and the approval is kept: its button takes the money.
  if (luck.percent(85)) {
    await look(visit)
    const [token = ''] = tokens
    street.agreed(token, visit.seen)
    const answer = await again(street, () =>
      shopper
        .post(urls.wcAjax('checkout'), { ...shopper.form('ppcp-gateway'), [walletOrderField]: token })
        .then(checkoutAnswer),
    )
    const received = orderReceivedIn(answer)
    if (received && (await readConfirmation(visit, received))) return 'bought'
    const next = tokenIn(answer.redirect)
    if (next && luck.percent(70)) return atTheWallet(visit, [next])
  }
  return null
}

async function checkoutAnswer(response: Response): Promise<CheckoutAnswer> {
  if (response.status >= 500) throw new Error(`the shop answered ${response.status}`)
  return (await response.json()) as CheckoutAnswer
}

/** Something else in another tab: the cart changes while the wallet is open. */
async function stray(visit: Visit): Promise<void> {
  const { street, shopper } = visit
  street.tally.count('move: changes the cart meanwhile')
  visit.strayed = true
  const tab = shopper.anotherTab()
  await again(street, () => tab.add('BOWL', 1).catch(() => undefined))
  if (!street.luck.percent(60)) return
  await again(street, () => tab.openCheckout())
  await again(street, () => tab.placeOrder())
}

/** Reads the page that says how it ended, and again while that is being found out. */
async function readConfirmation(visit: Visit, { id, place }: { id: number; place: string }): Promise<boolean> {
  const { street, shopper } = visit
  for (let looks = 0; looks < 6; looks += 1) {
    const page = await again(street, async () => {
      const response = await shopper.request(place)
      if (response.status >= 500) throw new Error(`the shop answered ${response.status}`)
      return response.text()
    })
    if (page.includes('Thank you. Your order has been received.')) {
      street.confirmed(id)
      if (!visit.strayed && (await again(street, () => shopper.pieces())) > 0) {
        street.tally.violated('F15', id, 'the cart still holds what was bought')
      }
      return true
    }
    if (!page.includes('We are checking your payment')) return false
    await street.turns.pause(street.luck.between(1_000, 60_000), 'a shopper waits for the payment')
  }
  return true
}

function orderReceivedIn({ redirect }: CheckoutAnswer): { id: number; place: string } | null {
  const id = /\/order-received\/(\d+)\//.exec(redirect ?? '')?.[1]
  return id && redirect ? { id: Number(id), place: redirect } : null
}

function tokenIn(address: string | null | undefined): string | null {
  return new URL(address ?? '', 'http://nowhere.test').searchParams.get('token')
}

/** The last line of the checkout's table, in cents. */
function totalIn(html: string): number | null {
  const row = /class="order-total".*?<\/tr>/s.exec(html)?.[0] ?? ''
  const digits = /([\d,]+\.\d\d)/.exec(row.replace(/<[^>]*>/g, ''))?.[1]
  return digits ? Math.round(Number(digits.replace(/,/g, '')) * 100) : null
}
