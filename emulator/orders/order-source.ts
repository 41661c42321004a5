import { refuse } from '../rest/error-bodies.ts'
import { type Card, type CardRequest, readCard } from '../vault/cards.ts'
import {
  liveSingleUseToken,
  type PaymentToken,
  type SingleUseToken,
  type Verification,
  type WalletKind,
} from '../vault/vault.ts'
import type { Buyer } from '../wallet/buyers.ts'
import type { World } from '../world/world.ts'
import type { Keeping, PaymentSource } from './order.ts'
import type { ExperienceContext } from './order-request.ts'

type VaultRequest = { store_in_vault?: string; permit_multiple_payment_tokens?: boolean }
type Attributes = { vault?: VaultRequest; customer?: { id?: string }; verification?: { method?: Verification } }

type WalletRequest = { vault_id?: string; attributes?: Attributes; experience_context?: ExperienceContext }
type CardSourceRequest = CardRequest & {
  vault_id?: string
  single_use_token?: string
  stored_credential?: { payment_initiator?: string; payment_type?: string; usage?: string }
  attributes?: Attributes
  experience_context?: ExperienceContext
}

/** The parts of `payment_source` that this emulator acts on; the rest has passed the schema. */
export type SourceRequest = {
  paypal?: WalletRequest
  venmo?: WalletRequest
  card?: CardSourceRequest
  token?: { id: string; type: string }
  [other: string]: unknown
}

export type ReadSource = {
  source: PaymentSource
  /** Whose wallet pays, where it is kept. */
  buyer?: Buyer
  /** Used up by the payment. */
  singleUse?: SingleUseToken
  /** Nobody needs to approve: the payment is made in the same call. */
  completes: boolean
}

/** Reads what pays; what is kept is looked up. Refuses what does not exist or cannot be used. */
export function readSource(world: World, request: SourceRequest | undefined): ReadSource {
  const names = Object.keys(request ?? {})
  const first = names[0]
  if (!request || first === undefined) return { source: { kind: 'none' }, completes: false }
  if (names.length > 1) {
    throw refuse(422, 'ONLY_ONE_PAYMENT_SOURCE_ALLOWED', { field: '/payment_source', location: 'body' })
  }
  if (first === 'paypal' || first === 'venmo') return readWallet(world, first, request[first] ?? {})
  if (first === 'card') return readCardSource(world, request.card ?? {})
  if (first === 'token' && request.token) return readAgreement(world, request.token.id)
  throw refuse(422, 'PAYMENT_SOURCE_CANNOT_BE_USED', { field: `/payment_source/${first}`, location: 'body' })
}

function readWallet(world: World, kind: WalletKind, request: WalletRequest): ReadSource {
  const field = `/payment_source/${kind}`
  const keeping = keepingOf(request.attributes, kind, field)
  if (request.vault_id === undefined) return { source: { kind, ...keeping }, completes: false }
  const { id, means } = keptToken(world, request.vault_id, field)
  if (means.kind !== kind) throw mismatch(field)
  return { source: { kind, vaultId: id }, buyer: means.buyer, completes: true }
}

function readCardSource(world: World, request: CardSourceRequest): ReadSource {
  const field = '/payment_source/card'
  const verification = request.attributes?.verification?.method
  const more = {
    ...(verification === undefined ? {} : { verification }),
    ...keepingOf(request.attributes, 'card', field),
  }
  requireSensibleCredential(request.stored_credential, field)
  if (request.vault_id !== undefined) {
    const { id, means } = keptToken(world, request.vault_id, field)
    if (means.kind !== 'card') throw mismatch(field)
    return { source: { kind: 'card', card: means.card, vaultId: id, ...more }, completes: true }
  }
  if (request.single_use_token !== undefined) {
    const token = singleUse(world, request.single_use_token, `${field}/single_use_token`)
    const card: Card = {
      ...token.card,
      ...(request.billing_address ? { billingAddress: request.billing_address } : {}),
    }
    return { source: { kind: 'card', card, ...more }, singleUse: token, completes: true }
  }
  // Without a number the fields of the script hand the card in.
  if (request.number === undefined) return { source: { kind: 'card', ...more }, completes: false }
  return { source: { kind: 'card', card: readCard(request, world.clock.now()), ...more }, completes: true }
}

function readAgreement(world: World, id: string): ReadSource {
  const agreement = world.vault.agreements.get(id)
  const field = { field: '/payment_source/token/id', value: id, location: 'body' } as const
  if (!agreement) throw refuse(422, 'BILLING_AGREEMENT_NOT_FOUND', field)
  if (agreement.state === 'CANCELLED') throw refuse(422, 'AGREEMENT_ALREADY_CANCELLED', field)
  return { source: { kind: 'agreement', agreementId: id }, buyer: agreement.buyer, completes: true }
}

function keptToken(world: World, id: string, field: string): PaymentToken {
  const token = world.vault.paymentTokens.get(id)
  if (!token) throw refuse(404, 'INVALID_RESOURCE_ID', { field: `${field}/vault_id`, value: id, location: 'body' })
  return token
}

function singleUse(world: World, id: string, field: string): SingleUseToken {
  const token = liveSingleUseToken(world, id)
  const at = { field, value: id, location: 'body' } as const
  if (token === 'unknown') throw refuse(404, 'INVALID_RESOURCE_ID', at)
  if (token === 'expired') throw refuse(422, 'TOKEN_EXPIRED', at)
  if (token === 'used') throw refuse(422, 'PAYMENT_SOURCE_CANNOT_BE_USED', at)
  return token
}

function mismatch(field: string) {
  return refuse(422, 'MISMATCHED_VAULT_ID_TO_PAYMENT_SOURCE', { field: `${field}/vault_id`, location: 'body' })
}

function keepingOf(
  attributes: Attributes | undefined,
  kind: WalletKind | 'card',
  field: string,
): { keeping?: Keeping } {
  const vault = attributes?.vault
  if (!vault) return {}
  if (vault.store_in_vault === undefined) {
    throw refuse(422, 'VAULT_INSTRUCTION_REQUIRED', { field: `${field}/attributes/vault`, location: 'body' })
  }
  const customerId = attributes?.customer?.id
  return {
    keeping: {
      ...(customerId === undefined ? {} : { customerId }),
      permitsMany: kind === 'card' || vault.permit_multiple_payment_tokens === true,
    },
  }
}

/** A first and a single payment are the buyer's own act. */
function requireSensibleCredential(credential: CardSourceRequest['stored_credential'], field: string): void {
  if (credential?.payment_initiator !== 'MERCHANT') return
  if (credential.payment_type !== 'ONE_TIME' && credential.usage !== 'FIRST') return
  throw refuse(422, 'INCOMPATIBLE_PARAMETER_VALUE', { field: `${field}/stored_credential`, location: 'body' })
}
