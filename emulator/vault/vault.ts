import type { Buyer } from '../wallet/buyers.ts'
import { DAY_MS, HOUR_MS } from '../world/clock.ts'
import type { World } from '../world/world.ts'
import type { AuthenticationResult } from './authentication.ts'
import { type Card, type CardRequest, readCard } from './cards.ts'
import { paymentTokenView } from './vault-view.ts'

/** A setup token lives this long, a card's single-use token this long. */
const SETUP_MS = 3 * DAY_MS
const SINGLE_USE_MS = 3 * HOUR_MS

export type WalletKind = 'paypal' | 'venmo'
export type Verification = 'SCA_WHEN_REQUIRED' | 'SCA_ALWAYS'

/** What is kept: a buyer's wallet, or a card. */
export type Means = { kind: WalletKind; buyer: Buyer } | { kind: 'card'; card: Card }

export type SetupToken = {
  id: string
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'VAULTED'
  /** What kind of means is to be kept. */
  kind: Means['kind']
  customerId: string
  permitsMany: boolean
  /** Kept as soon as the buyer agrees, without a further call. */
  onApproval: boolean
  brandName?: string
  returnUrl?: string
  cancelUrl?: string
  verification?: Verification
  means?: Means
  authentication?: AuthenticationResult
  paymentTokenId?: string
  createdMs: number
}

export type PaymentToken = { id: string; customerId: string; means: Means; createdMs: number }

/** A card of accelerated checkout: pays once. */
export type SingleUseToken = { id: string; card: Card; email?: string; createdMs: number; used: boolean }

/** An agreement from before there was a vault, while it waits for its buyer. */
export type AgreementToken = {
  id: string
  description?: string
  returnUrl?: string
  cancelUrl?: string
  /** As the older call spells it: `line1`, `city`, `state` … */
  shippingAddress?: Record<string, string>
  buyer?: Buyer
  agreementId?: string
  createdMs: number
}

export type Agreement = { id: string; state: 'ACTIVE' | 'CANCELLED'; buyer: Buyer; createdMs: number }

export type Vault = {
  readonly setupTokens: Map<string, SetupToken>
  readonly paymentTokens: Map<string, PaymentToken>
  readonly singleUseTokens: Map<string, SingleUseToken>
  readonly agreementTokens: Map<string, AgreementToken>
  readonly agreements: Map<string, Agreement>
}

export function emptyVault(): Vault {
  return {
    setupTokens: new Map(),
    paymentTokens: new Map(),
    singleUseTokens: new Map(),
    agreementTokens: new Map(),
    agreements: new Map(),
  }
}

export function clearVault(vault: Vault): void {
  for (const table of Object.values(vault)) table.clear()
}

/** The setup token, unless it is unknown or its time is over. */
export function liveSetupToken(world: World, id: string): SetupToken | undefined {
  const token = world.vault.setupTokens.get(id)
  return token && world.clock.now().getTime() - token.createdMs <= SETUP_MS ? token : undefined
}

/** The buyer agrees, on the wallet's page, that their wallet is kept. */
export function approveSetupToken(world: World, id: string, buyer: Buyer): SetupToken | undefined {
  const token = liveSetupToken(world, id)
  if (!token || token.kind === 'card') return undefined
  if (token.status === 'VAULTED') return token
  token.means = { kind: token.kind, buyer }
  token.status = 'APPROVED'
  if (token.onApproval) keepOf(world, token)
  return token
}

/** The script's card fields hand in the card that is to be kept. Refuses a card that no bank would look at. */
export function confirmSetupToken(
  world: World,
  id: string,
  request: CardRequest,
  verification?: Verification,
): SetupToken | undefined {
  const token = liveSetupToken(world, id)
  if (token?.kind !== 'card' || token.status === 'VAULTED') return undefined
  setCard(token, readCard(request, world.clock.now()), verification ?? token.verification)
  return token
}

/** The card of a setup token, and what its bank says of it where that was asked for. */
export function setCard(token: SetupToken, card: Card, verification: Verification | undefined): void {
  token.means = { kind: 'card', card }
  delete token.authentication
  token.status = 'APPROVED'
  if (verification === undefined || !card.challenge) return
  token.verification = verification
  if (card.challenge.page === 'none') token.authentication = card.challenge.result
  else token.status = 'PAYER_ACTION_REQUIRED'
}

/** The payment token that a setup token becomes; undefined while nobody has agreed. */
export function keepOf(world: World, setup: SetupToken): PaymentToken | undefined {
  const kept = setup.paymentTokenId === undefined ? undefined : world.vault.paymentTokens.get(setup.paymentTokenId)
  if (kept) return kept
  if (setup.status !== 'APPROVED' || !setup.means) return undefined
  const token = vaultPaymentMethod(world, setup.means, { customerId: setup.customerId, permitsMany: setup.permitsMany })
  setup.status = 'VAULTED'
  setup.paymentTokenId = token.id
  setup.customerId = token.customerId
  return token
}

type Keeping = { customerId?: string | undefined; permitsMany?: boolean }

/** Keeps a means and tells the shop. A wallet is kept once per customer, unless several tokens were asked for. */
export function vaultPaymentMethod(world: World, means: Means, { customerId, permitsMany }: Keeping): PaymentToken {
  const known = means.kind === 'card' ? undefined : tokenOfBuyer(world, means, customerId)
  if (known && !permitsMany) return known
  const token: PaymentToken = {
    id: world.ids.paymentToken(),
    customerId: customerId ?? known?.customerId ?? world.ids.customer(),
    means,
    createdMs: world.clock.now().getTime(),
  }
  world.vault.paymentTokens.set(token.id, token)
  announceToken(world, token, 'VAULT.PAYMENT-TOKEN.CREATED', 'A payment token has been created.')
  return token
}

function tokenOfBuyer(
  world: World,
  means: Extract<Means, { kind: WalletKind }>,
  customerId: string | undefined,
): PaymentToken | undefined {
  for (const token of world.vault.paymentTokens.values()) {
    const same = token.means.kind === means.kind && token.means.buyer.payerId === means.buyer.payerId
    if (same && (customerId === undefined || token.customerId === customerId)) return token
  }
  return undefined
}

/** A returning buyer, recognised by the id that the merchant's vault knows them under. */
export function buyerOfCustomer(world: World, customerId: string): Buyer | undefined {
  for (const { customerId: owner, means } of world.vault.paymentTokens.values()) {
    if (owner === customerId && means.kind !== 'card') return means.buyer
  }
  return undefined
}

export function deleteToken(world: World, token: PaymentToken): void {
  world.vault.paymentTokens.delete(token.id)
  announceToken(world, token, 'VAULT.PAYMENT-TOKEN.DELETED', 'A payment token has been deleted.')
}

function announceToken(world: World, token: PaymentToken, type: string, summary: string): void {
  world.webhooks.emit({
    type,
    resourceType: 'payment_token',
    summary,
    resource: () => paymentTokenView(world, token),
  })
}

/** A token that pays once with this card, as accelerated checkout hands it to the shop's page. */
export function mintSingleUseToken(world: World, card: Card, email?: string): SingleUseToken {
  const token: SingleUseToken = {
    id: world.ids.uuid().toUpperCase(),
    card,
    ...(email === undefined ? {} : { email }),
    createdMs: world.clock.now().getTime(),
    used: false,
  }
  world.vault.singleUseTokens.set(token.id, token)
  return token
}

/** The token, or why it cannot pay. Whoever pays with it marks it as used. */
export function liveSingleUseToken(world: World, id: string): SingleUseToken | 'unknown' | 'expired' | 'used' {
  const token = world.vault.singleUseTokens.get(id)
  if (!token) return 'unknown'
  if (token.used) return 'used'
  return world.clock.now().getTime() - token.createdMs > SINGLE_USE_MS ? 'expired' : token
}

/** The buyer agrees to an agreement of the older kind. */
export function approveAgreementToken(world: World, id: string, buyer: Buyer): AgreementToken | undefined {
  const token = world.vault.agreementTokens.get(id)
  if (!token || token.agreementId !== undefined) return undefined
  token.buyer = buyer
  return token
}
