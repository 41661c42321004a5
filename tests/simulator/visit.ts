import { type CheckoutAnswer, checkoutTotal, type Shopper, type VisitedWorld } from '../support/shopper.ts'
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
  /** Whether the bank of the card that is typed for a wallet order knows its holder: where not, nothing may be taken. */
  holderKnown(walletOrderId: string, isKnown: boolean): void
  /** A press has placed an order. */
  placed(orderId: number): Promise<void>
  /** Somebody has paid in one press, by what they see on our page. */
  paidAtOnce(orderId: number, seenMinor: number | null): Promise<void>
  /** A page has said that the order is received. */
  confirmed(orderId: number): void
}

export type Visit = {
  readonly street: Street
  /** The browser that the shopper sits at. */
  shopper: Shopper
  /** Of the shopper's last look at the checkout, in minor units. */
  seen: number | null
  /** Wallet orders that the shopper has said yes to. */
  readonly approved: Set<string>
  /** The cart was changed on purpose after ordering. */
  strayed: boolean
  hasAccount: boolean
}

const mostTries = 25

/** A person whose page does not load waits a moment and does the same again; after a while they go. */
export async function again<Value>({ turns, luck }: Street, work: () => Promise<Value>): Promise<Value> {
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
export class Gone extends Error {}

/** Looks at the checkout, and remembers the total. @returns the page */
export async function look(visit: Visit): Promise<string> {
  const html = await again(visit.street, () => visit.shopper.openCheckout())
  visit.seen = checkoutTotal(html)
  return html
}

/** What the form that was looked at says of itself: a shop must not take another total than stood beside the button. */
export const shown = ({ seen }: Visit): Record<string, string> => (seen === null ? {} : { seen_total: String(seen) })

/** What the checkout said. @throws where the shop could not answer */
export async function checkoutAnswer(response: Response): Promise<CheckoutAnswer> {
  if (response.status >= 500) throw new Error(`the shop answered ${response.status}`)
  return (await response.json()) as CheckoutAnswer
}

/** Reads the page that says how it ended, and again while that is being found out. */
export async function readConfirmation(visit: Visit, { id, place }: { id: number; place: string }): Promise<boolean> {
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

export function orderReceivedIn({ redirect }: CheckoutAnswer): { id: number; place: string } | null {
  const id = /\/order-received\/(\d+)\//.exec(redirect ?? '')?.[1]
  return id && redirect ? { id: Number(id), place: redirect } : null
}

export function tokenIn(address: string | null | undefined): string | null {
  return new URL(address ?? '', 'http://nowhere.test').searchParams.get('token')
}
