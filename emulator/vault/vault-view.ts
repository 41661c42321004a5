import type { Link } from '../rest/error-bodies.ts'
import type { Buyer } from '../wallet/buyers.ts'
import type { World } from '../world/world.ts'
import { authenticationView } from './authentication.ts'
import type { Card } from './cards.ts'
import type { Means, PaymentToken, SetupToken } from './vault.ts'

export function setupTokenView(world: World, token: SetupToken): object {
  return {
    id: token.id,
    status: token.status,
    customer: { id: token.customerId },
    payment_source: token.means ? meansView(token.means, token) : { [token.kind]: {} },
    links: setupTokenLinks(world, token),
  }
}

function setupTokenLinks(world: World, token: SetupToken): Link[] {
  const self = `${world.origin}/v3/vault/setup-tokens/${token.id}`
  const links: Link[] = [
    { href: self, rel: 'self', method: 'GET' },
    { href: `${world.origin}/v3/vault/payment-tokens`, rel: 'confirm', method: 'POST' },
  ]
  if (token.status !== 'PAYER_ACTION_REQUIRED') return links
  return [{ href: approvalAddress(world, token), rel: 'approve', method: 'GET' }, ...links]
}

/** Where the buyer agrees: the wallet's page, or the bank's for a card. */
export function approvalAddress(world: World, { id, kind }: SetupToken): string {
  return kind === 'card'
    ? `${world.origin}/threedsecure?token=${id}`
    : `${world.origin}/agreements/approve?approval_session_id=${id}`
}

export function paymentTokenView(world: World, token: PaymentToken): object {
  const self = `${world.origin}/v3/vault/payment-tokens/${token.id}`
  return {
    id: token.id,
    customer: { id: token.customerId },
    payment_source: meansView(token.means),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: self, rel: 'delete', method: 'DELETE' },
    ],
  }
}

function meansView(means: Means, token?: SetupToken): object {
  if (means.kind === 'card') return { card: keptCardView(means.card, token) }
  const wallet = walletView(means.buyer)
  return means.kind === 'paypal'
    ? { paypal: { ...wallet, account_id: means.buyer.payerId } }
    : { venmo: { ...wallet, user_name: means.buyer.givenName } }
}

function keptCardView(card: Card, token?: SetupToken): object {
  const result = token?.authentication
  return {
    brand: card.brand,
    last_digits: card.lastDigits,
    ...(card.expiry === undefined ? {} : { expiry: card.expiry }),
    // The vault shows letters and spaces only.
    ...(card.name !== undefined && /^[A-Za-z ]{2,}$/.test(card.name) ? { name: card.name } : {}),
    ...(card.billingAddress ? { billing_address: card.billingAddress } : {}),
    ...(token && token.status !== 'PAYER_ACTION_REQUIRED' && token.verification
      ? { verification_status: 'VERIFIED' }
      : {}),
    ...(result ? { authentication_result: authenticationView(result) } : {}),
  }
}

function walletView(buyer: Buyer): object {
  const [first] = buyer.addresses
  return {
    email_address: buyer.email,
    payer_id: buyer.payerId,
    name: {
      given_name: buyer.givenName,
      surname: buyer.surname,
      full_name: `${buyer.givenName} ${buyer.surname}`,
    },
    usage_type: 'MERCHANT',
    customer_type: 'CONSUMER',
    ...(first ? { shipping: { name: { full_name: first.fullName }, address: first.address } } : {}),
  }
}
