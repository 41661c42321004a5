import { liveOrder } from '../orders/approve-order.ts'
import type { Order } from '../orders/order.ts'
import type { Card } from '../vault/cards.ts'
import { type AgreementToken, liveSetupToken, type SetupToken } from '../vault/vault.ts'
import type { World } from '../world/world.ts'
import type { Buyer } from './buyers.ts'

/** What somebody has done so far in a wallet's window. */
export type Visit = {
  buyer?: Buyer
  /** Which button opened the window. */
  fundingSource: string
  /** Typed in by a guest. */
  card?: Card
  /** How many refusals of the order this visit has told its guest of. */
  declines?: number
  addressId?: string
  /** The address that the shop has last heard of. */
  verifiedAddressId?: string
  refusal?: Refusal
}

/** `blocks`: nothing can be paid until something else is chosen. */
export type Refusal = { text: string; blocks: boolean }

/** What the window shows, and where it leads back to when it is no window. */
export type Subject = {
  id: string
  visit: Visit
  /** Of the page that shows it. */
  address: string
  brandName: string
  returnUrl?: string | undefined
  cancelUrl?: string | undefined
} & (
  | { kind: 'order'; order: Order }
  | { kind: 'setup'; setup: SetupToken }
  | { kind: 'agreement'; agreement: AgreementToken }
)

/** By what they are about, so that a visit ends with it. */
const visits = new WeakMap<object, Visit>()

function visitOf(about: Order | SetupToken | AgreementToken, fundingSource: string): Visit {
  const known = visits.get(about)
  if (known) return known
  const buyer = 'buyer' in about ? about.buyer : undefined
  const visit: Visit = { fundingSource, ...(buyer ? { buyer } : {}) }
  visits.set(about, visit)
  return visit
}

/** Whoever comes next begins anew. */
export function forgetBuyer(visit: Visit): void {
  for (const key of ['buyer', 'card', 'addressId', 'verifiedAddressId', 'refusal'] as const) delete visit[key]
}

/** What a token of an address or a form stands for; undefined when it is unknown or its time is over. */
export function subjectOf(world: World, token: unknown): Subject | undefined {
  if (typeof token !== 'string') return undefined
  const order = liveOrder(world, token)
  if (order) {
    const { brandName, returnUrl, cancelUrl } = order.experience
    return {
      kind: 'order',
      id: token,
      order,
      visit: visitOf(order, order.source.kind === 'venmo' ? 'venmo' : 'paypal'),
      address: `/checkoutnow?token=${order.id}`,
      brandName: brandName ?? 'the shop',
      returnUrl,
      cancelUrl,
    }
  }
  const setup = liveSetupToken(world, token)
  if (setup && setup.kind !== 'card') {
    return {
      kind: 'setup',
      id: token,
      setup,
      visit: visitOf(setup, setup.kind),
      address: `/agreements/approve?approval_session_id=${setup.id}`,
      brandName: setup.brandName ?? 'the shop',
      returnUrl: setup.returnUrl,
      cancelUrl: setup.cancelUrl,
    }
  }
  const agreement = world.vault.agreementTokens.get(token)
  if (!agreement) return undefined
  return {
    kind: 'agreement',
    id: token,
    agreement,
    visit: visitOf(agreement, 'paypal'),
    address: `/agreements/approve?ba_token=${agreement.id}`,
    brandName: 'the shop',
    returnUrl: agreement.returnUrl,
    cancelUrl: agreement.cancelUrl,
  }
}

/** Whether nothing is left to agree to. */
export function isOver(subject: Subject): boolean {
  switch (subject.kind) {
    case 'order':
      return subject.order.status === 'COMPLETED' || subject.order.status === 'VOIDED'
    case 'setup':
      return subject.setup.status === 'VAULTED'
    case 'agreement':
      return subject.agreement.agreementId !== undefined
  }
}

/** Whether the buyer has agreed: only then a window may say so to its opener. */
export function isAgreed(subject: Subject): boolean {
  switch (subject.kind) {
    case 'order':
      return subject.order.approvedMs !== undefined
    case 'setup':
      return subject.setup.status === 'APPROVED' || subject.setup.status === 'VAULTED'
    case 'agreement':
      return subject.agreement.buyer !== undefined
  }
}

/** The script's shipping callbacks do not exist for Venmo: there only the shop's server can be asked. */
export function isPageCallbackAllowed({ visit }: Subject): boolean {
  return visit.fundingSource !== 'venmo'
}

/** Where a buyer goes who agreed without a window. */
export function returnAddress(subject: Subject): string | undefined {
  const { id, returnUrl, visit } = subject
  switch (subject.kind) {
    case 'order':
      return withQuery(returnUrl, { token: id, PayerID: (subject.order.buyer ?? visit.buyer)?.payerId ?? '' })
    case 'setup':
      return withQuery(returnUrl, { approval_token_id: id, approval_session_id: id })
    case 'agreement':
      return withQuery(returnUrl, { ba_token: id, token: id })
  }
}

export function cancelAddress(subject: Subject): string | undefined {
  const { id, cancelUrl, kind } = subject
  return withQuery(
    cancelUrl,
    kind === 'order' ? { token: id } : kind === 'setup' ? { approval_session_id: id } : { ba_token: id, token: id },
  )
}

function withQuery(address: string | undefined, query: Record<string, string>): string | undefined {
  if (address === undefined) return undefined
  const url = new URL(address)
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value)
  return url.href
}
