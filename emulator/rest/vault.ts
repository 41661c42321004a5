import type { AuthenticationResult } from '../vault/authentication.ts'
import { type CardRequest, readCard } from '../vault/cards.ts'
import {
  deleteToken,
  keepOf,
  liveSetupToken,
  liveSingleUseToken,
  type Means,
  type PaymentToken,
  type SetupToken,
  setCard,
  type Verification,
  vaultPaymentMethod,
} from '../vault/vault.ts'
import { paymentTokenView, setupTokenView } from '../vault/vault-view.ts'
import { notFound, refuse } from './error-bodies.ts'
import type { Answer, Call, Operation } from './operation.ts'
import { validator } from './schemas.ts'

const document = 'vault_payment_tokens_v3'
const errors = { document, prefix: '' } as const
/** The vault keeps a request id for three hours. */
const REMEMBERS_HOURS = 3
const SETUP_TOKENS = '/v3/vault/setup-tokens'
const PAYMENT_TOKENS = '/v3/vault/payment-tokens'
const DEFAULT_PAGE = 5
const LARGEST_PAGE = 20

export const vaultOperations: readonly Operation[] = [
  {
    name: 'setup-tokens.create',
    method: 'POST',
    path: SETUP_TOKENS,
    schema: validator(document, 'setup_token_request'),
    errors,
    remembersHours: REMEMBERS_HOURS,
    run: createSetupToken,
  },
  {
    name: 'setup-tokens.get',
    method: 'GET',
    path: `${SETUP_TOKENS}/:id`,
    errors,
    run: (call) => shownSetupToken(call, 200, wantedSetupToken(call)),
  },
  {
    name: 'payment-tokens.create',
    method: 'POST',
    path: PAYMENT_TOKENS,
    schema: validator(document, 'payment_token_request'),
    errors,
    remembersHours: REMEMBERS_HOURS,
    run: createPaymentToken,
  },
  { name: 'payment-tokens.list', method: 'GET', path: PAYMENT_TOKENS, errors, run: listPaymentTokens },
  {
    name: 'payment-tokens.get',
    method: 'GET',
    path: `${PAYMENT_TOKENS}/:id`,
    errors,
    run: (call) => {
      const token = wantedPaymentToken(call)
      return { status: 200, show: () => paymentTokenView(call.world, token) }
    },
  },
  {
    name: 'payment-tokens.delete',
    method: 'DELETE',
    path: `${PAYMENT_TOKENS}/:id`,
    errors,
    run: ({ world, params }) => {
      // The published list has no 404 here: what is gone already is gone.
      const token = world.vault.paymentTokens.get(params.id ?? '')
      if (token) deleteToken(world, token)
      return { status: 204 }
    },
  },
]

type Context = { brand_name?: string; return_url?: string; cancel_url?: string; vault_instruction?: string }
type WalletRequest = { permit_multiple_payment_tokens?: boolean; experience_context?: Context }
type CardToKeep = CardRequest & { verification_method?: Verification; experience_context?: Context }
type TokenRequest = { id: string; type: string }
type SetupRequest = {
  customer?: { id?: string }
  payment_source: { paypal?: WalletRequest; venmo?: WalletRequest; card?: CardToKeep; token?: TokenRequest }
}

function createSetupToken({ world, body }: Call): Answer {
  // The schema says: a setup token request.
  const { customer, payment_source: source } = body as SetupRequest
  if (Object.keys(source).length !== 1) {
    throw refuse(400, 'INVALID_PARAMETER_VALUE', { field: '/payment_source', location: 'body' })
  }
  const kind = source.venmo ? 'venmo' : source.card ? 'card' : 'paypal'
  const context = source[kind]?.experience_context ?? {}
  for (const key of ['return_url', 'cancel_url'] as const) {
    // A wallet's buyer has to come back to somewhere.
    if (kind !== 'card' && !source.token && context[key] === undefined) {
      const field = `/payment_source/${kind}/experience_context/${key}`
      throw refuse(400, 'MISSING_REQUIRED_PARAMETER', { field, location: 'body' })
    }
  }
  const token: SetupToken = {
    id: world.ids.resource(),
    status: kind === 'card' ? 'CREATED' : 'PAYER_ACTION_REQUIRED',
    kind,
    customerId: customer?.id ?? world.ids.customer(),
    permitsMany: kind === 'card' || source[kind]?.permit_multiple_payment_tokens === true,
    onApproval: context.vault_instruction === 'ON_PAYER_APPROVAL',
    createdMs: world.clock.now().getTime(),
    ...(context.brand_name === undefined ? {} : { brandName: context.brand_name }),
    ...(context.return_url === undefined ? {} : { returnUrl: context.return_url }),
    ...(context.cancel_url === undefined ? {} : { cancelUrl: context.cancel_url }),
  }
  if (source.card?.verification_method !== undefined) token.verification = source.card.verification_method
  if (source.card?.number !== undefined) setCard(token, readCard(source.card, world.clock.now()), token.verification)
  if (source.token) {
    token.means = meansOfAgreement(world, source.token)
    token.status = 'APPROVED'
  }
  world.vault.setupTokens.set(token.id, token)
  return { status: 201, show: () => setupTokenView(world, token) }
}

/** An agreement from before there was a vault moves into it. */
function meansOfAgreement(world: Call['world'], { id, type }: TokenRequest): Means {
  const field = { field: '/payment_source/token/id', value: id, location: 'body' } as const
  if (type !== 'BILLING_AGREEMENT')
    throw refuse(400, 'INVALID_PARAMETER_VALUE', { ...field, field: '/payment_source/token/type' })
  const agreement = world.vault.agreements.get(id)
  if (!agreement) throw refuse(422, 'BILLING_AGREEMENT_NOT_FOUND', field)
  if (agreement.state === 'CANCELLED') throw refuse(422, 'AGREEMENT_ALREADY_CANCELLED', field)
  return { kind: 'paypal', buyer: agreement.buyer }
}

type KeepRequest = { customer?: { id?: string }; payment_source: { token?: TokenRequest; card?: CardRequest } }

function createPaymentToken({ world, body }: Call): Answer {
  // The schema says: a payment token request.
  const { customer, payment_source: source } = body as KeepRequest
  const token = source.card
    ? vaultPaymentMethod(
        world,
        { kind: 'card', card: readCard(source.card, world.clock.now()) },
        { customerId: customer?.id },
      )
    : source.token
      ? keptByToken(world, source.token, customer?.id)
      : undefined
  if (!token) throw refuse(400, 'MISSING_REQUIRED_PARAMETER', { field: '/payment_source/token', location: 'body' })
  return { status: 201, show: () => paymentTokenView(world, token) }
}

function keptByToken(world: Call['world'], { id, type }: TokenRequest, customerId: string | undefined): PaymentToken {
  const field = { field: '/payment_source/token/id', value: id, location: 'body' } as const
  if (type === 'BILLING_AGREEMENT') {
    return vaultPaymentMethod(world, meansOfAgreement(world, { id, type }), { customerId })
  }
  if (type === 'NONCE') {
    const token = liveSingleUseToken(world, id)
    if (token === 'unknown') throw refuse(404, 'INVALID_RESOURCE_ID', field)
    if (token === 'expired' || token === 'used') throw refuse(422, 'TOKEN_EXPIRED', field)
    token.used = true
    return vaultPaymentMethod(world, { kind: 'card', card: token.card }, { customerId })
  }
  const setup = liveSetupToken(world, id)
  if (!setup) throw refuse(404, 'INVALID_RESOURCE_ID', field)
  if (customerId !== undefined && setup.status !== 'VAULTED') setup.customerId = customerId
  const { means } = setup
  if (means?.kind === 'card' && means.card.refusal) throw refuse(422, 'PAYMENT_SOURCE_DECLINED_BY_PROCESSOR', field)
  if (failed(setup.authentication)) throw refuse(422, 'PAYMENT_SOURCE_INFO_CANNOT_BE_VERIFIED', field)
  const kept = keepOf(world, setup)
  if (!kept) throw refuse(422, 'SETUP_TOKEN_NOT_APPROVED', { ...field, ...notApproved })
  return kept
}

// The published file lists no issues of the vault.
const notApproved = { description: 'The setup token has not been approved by the payer.' }

function failed(result: AuthenticationResult | undefined): boolean {
  return result?.authentication === 'N' || result?.authentication === 'R'
}

function listPaymentTokens({ world, query }: Call): Answer {
  const customerId = query.get('customer_id')
  if (customerId === null) throw refuse(400, 'MISSING_REQUIRED_PARAMETER', { field: 'customer_id', location: 'query' })
  if (!/^[0-9a-zA-Z_-]{7,36}$/.test(customerId)) {
    throw refuse(400, 'INVALID_STRING_LENGTH', { field: 'customer_id', value: customerId, location: 'query' })
  }
  const size = wholeNumber(query, 'page_size', DEFAULT_PAGE, LARGEST_PAGE)
  const page = wholeNumber(query, 'page', 1, 10)
  const all = [...world.vault.paymentTokens.values()].filter((token) => token.customerId === customerId)
  const pages = Math.max(1, Math.ceil(all.length / size))
  const address = (number: number) =>
    `${world.origin}${PAYMENT_TOKENS}?customer_id=${customerId}&page_size=${size}&page=${number}`
  const link = (rel: string, number: number) => ({ href: address(number), rel, method: 'GET' })
  const counts =
    query.get('total_required') === 'true' && all.length > 0 ? { total_items: all.length, total_pages: pages } : {}
  return {
    status: 200,
    show: () => ({
      customer: { id: customerId },
      payment_tokens: all.slice((page - 1) * size, page * size).map((token) => paymentTokenView(world, token)),
      ...counts,
      links: [
        link('self', page),
        link('first', 1),
        link('last', pages),
        ...(page > 1 ? [link('prev', page - 1)] : []),
        ...(page < pages ? [link('next', page + 1)] : []),
      ],
    }),
  }
}

function wholeNumber(query: URLSearchParams, name: string, absent: number, most: number): number {
  const text = query.get(name)
  if (text === null) return absent
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw refuse(400, 'INVALID_PARAMETER_VALUE', { field: name, value: text, location: 'query' })
}

function shownSetupToken({ world }: Call, status: number, token: SetupToken): Answer {
  return { status, show: () => setupTokenView(world, token) }
}

function wantedSetupToken({ world, params }: Call): SetupToken {
  const id = params.id ?? ''
  const token = liveSetupToken(world, id)
  if (!token) throw notFound(id, 'id')
  return token
}

function wantedPaymentToken({ world, params }: Call): PaymentToken {
  const id = params.id ?? ''
  const token = world.vault.paymentTokens.get(id)
  if (!token) throw notFound(id, 'id')
  return token
}
