import type { Agreement, AgreementToken } from '../vault/vault.ts'
import type { Buyer } from '../wallet/buyers.ts'
import { timestamp } from '../world/clock.ts'
import type { World } from '../world/world.ts'
import { notFound, refuse } from './error-bodies.ts'
import type { Answer, Call, Operation } from './operation.ts'
import { agreementRequest, agreementTokenRequest } from './schemas.ts'

const BASE = '/v1/billing-agreements'
const errors = { document: 'checkout_orders_v2', prefix: '' } as const
const REMEMBERS_HOURS = 3

/** Agreements from before there was a vault: old shops have them, new ones read them. */
export const agreementOperations: readonly Operation[] = [
  {
    name: 'agreement-tokens.create',
    method: 'POST',
    path: `${BASE}/agreement-tokens`,
    schema: agreementTokenRequest,
    errors,
    remembersHours: REMEMBERS_HOURS,
    run: createToken,
  },
  {
    name: 'agreement-tokens.get',
    method: 'GET',
    path: `${BASE}/agreement-tokens/:id`,
    errors,
    run: (call) => {
      const token = wantedToken(call)
      return { status: 200, show: () => tokenView(call.world, token) }
    },
  },
  {
    name: 'agreements.create',
    method: 'POST',
    path: `${BASE}/agreements`,
    schema: agreementRequest,
    errors,
    remembersHours: REMEMBERS_HOURS,
    run: createAgreement,
  },
  {
    name: 'agreements.get',
    method: 'GET',
    path: `${BASE}/agreements/:id`,
    errors,
    run: (call) => shownAgreement(200, wantedAgreement(call)),
  },
  {
    name: 'agreements.cancel',
    method: 'POST',
    path: `${BASE}/agreements/:id/cancel`,
    errors,
    run: (call) => {
      const agreement = wantedAgreement(call)
      if (agreement.state === 'CANCELLED') throw refuse(422, 'AGREEMENT_ALREADY_CANCELLED')
      agreement.state = 'CANCELLED'
      return { status: 204 }
    },
  },
]

type TokenRequest = {
  description?: string
  plan: { merchant_preferences: { return_url: string; cancel_url: string } }
  shipping_address?: Record<string, string>
}

function createToken({ world, body }: Call): Answer {
  // The schema says: these fields.
  const { description, plan, shipping_address: shippingAddress } = body as TokenRequest
  const token: AgreementToken = {
    id: `BA-${world.ids.resource()}`,
    returnUrl: plan.merchant_preferences.return_url,
    cancelUrl: plan.merchant_preferences.cancel_url,
    createdMs: world.clock.now().getTime(),
    ...(description === undefined ? {} : { description }),
    ...(shippingAddress ? { shippingAddress } : {}),
  }
  world.vault.agreementTokens.set(token.id, token)
  return { status: 201, show: () => ({ token_id: token.id, links: tokenLinks(world, token) }) }
}

function createAgreement({ world, body }: Call): Answer {
  // The schema says: this field.
  const { token_id: id } = body as { token_id: string }
  const token = world.vault.agreementTokens.get(id)
  if (!token) throw refuse(404, 'INVALID_RESOURCE_ID', { field: '/token_id', value: id, location: 'body' })
  const known = token.agreementId === undefined ? undefined : world.vault.agreements.get(token.agreementId)
  if (known) return shownAgreement(200, known)
  if (!token.buyer) throw refuse(422, 'AGREEMENT_NOT_APPROVED', notApproved)
  const agreement: Agreement = {
    id: `B-${world.ids.resource()}`,
    state: 'ACTIVE',
    buyer: token.buyer,
    createdMs: world.clock.now().getTime(),
  }
  token.agreementId = agreement.id
  world.vault.agreements.set(agreement.id, agreement)
  return shownAgreement(201, agreement)
}

// No published file describes these calls.
const notApproved = { description: 'The payer has not approved the billing agreement.' }

function tokenView(world: World, token: AgreementToken): object {
  return {
    token_id: token.id,
    token_status: token.buyer ? 'APPROVED' : 'PENDING',
    ...(token.description === undefined ? {} : { description: token.description }),
    ...(token.buyer ? { payer: payerView(token.buyer) } : {}),
    ...shippingView(token),
    links: tokenLinks(world, token),
  }
}

function shippingView({ shippingAddress, buyer }: AgreementToken): object {
  const address = shippingAddress ?? (buyer ? legacyAddress(buyer) : undefined)
  return address ? { shipping_address: address } : {}
}

function tokenLinks(world: World, token: AgreementToken): object[] {
  return [
    { href: `${world.origin}/agreements/approve?ba_token=${token.id}`, rel: 'approval_url', method: 'GET' },
    { href: `${world.origin}${BASE}/agreement-tokens/${token.id}`, rel: 'self', method: 'GET' },
  ]
}

function shownAgreement(status: number, agreement: Agreement): Answer {
  return {
    status,
    show: () => ({
      id: agreement.id,
      state: agreement.state,
      create_time: timestamp(new Date(agreement.createdMs)),
      payer: payerView(agreement.buyer),
    }),
  }
}

function payerView(buyer: Buyer): object {
  const address = legacyAddress(buyer)
  return {
    payment_method: 'PAYPAL',
    status: 'VERIFIED',
    payer_info: {
      email: buyer.email,
      first_name: buyer.givenName,
      last_name: buyer.surname,
      payer_id: buyer.payerId,
      ...(address ? { shipping_address: address } : {}),
    },
  }
}

function legacyAddress({ addresses }: Buyer): Record<string, string> | undefined {
  const [first] = addresses
  if (!first) return undefined
  const { address } = first
  const spelt: Record<string, string | undefined> = {
    recipient_name: first.fullName,
    line1: address.address_line_1,
    line2: address.address_line_2,
    city: address.admin_area_2,
    state: address.admin_area_1,
    postal_code: address.postal_code,
    country_code: address.country_code,
  }
  return Object.fromEntries(Object.entries(spelt).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

function wantedToken({ world, params }: Call): AgreementToken {
  const id = params.id ?? ''
  const token = world.vault.agreementTokens.get(id)
  if (!token) throw notFound(id, 'token_id')
  return token
}

function wantedAgreement({ world, params }: Call): Agreement {
  const id = params.id ?? ''
  const agreement = world.vault.agreements.get(id)
  if (!agreement) throw notFound(id, 'agreement_id')
  return agreement
}
