import type { CartCheckoutAnswer } from '#contract/payments/cart-checkout.ts'
import type { CartItemInput } from '#contract/payments/cart-item.ts'
import type { CartShippingInput } from '#contract/payments/cart-shipping.ts'
import {
  type PaymentRoute,
  paymentErrorCodes,
  paymentRoutes,
  walletOrderIdPattern,
} from '#contract/payments/constants.ts'
import type { OrderPayInput } from '#contract/payments/order-pay.ts'
import type { PaymentSettings } from '#contract/payments/page-settings.ts'
import type {
  BillingTokenAnswer,
  PaymentTokensAnswer,
  PaymentTokensInput,
  SetupTokensInput,
} from '#contract/payments/vault.ts'
import { reloadPage } from '../../runtime/navigate.ts'
import { type Answer, isRecord, parseJson, RequestFailed, request } from '../../runtime/request.ts'
import { PaymentFailure } from './payment-failure.ts'

/** The shop answered that it is unavailable; the same request may be sent again. */
export class ShopUnavailable extends Error {
  override readonly name = 'ShopUnavailable'
  /** The shop's error message, where it sent one. */
  readonly said: PaymentFailure | undefined

  constructor(message: string, said?: PaymentFailure) {
    super(message)
    this.said = said
  }
}

export type PaymentCalls = {
  /** @returns the id of the wallet order opened for the cart with the new item. */
  addItem(item: CartItemInput): Promise<string>
  /** @returns the id of the wallet order for the cart. */
  createOrder(fields: Record<string, string>): Promise<string>
  /** @returns the id of the wallet order for an existing order. */
  payOrder(order: OrderPayInput): Promise<string>
  /** Finishes after approval. Safe to repeat. */
  checkout(fields: Record<string, string>): Promise<CartCheckoutAnswer>
  /** Recalculates cart and wallet order for another address or shipping method; throws if none is available. */
  changeShipping(change: CartShippingInput): Promise<void>
  /** @returns the id of a payment method to save, which its owner approves next. */
  createSetupToken(fields: SetupTokensInput): Promise<string>
  /** Saves the approved payment method. Safe to repeat. */
  keep(token: PaymentTokensInput): Promise<PaymentTokensAnswer>
  /** Returns the payer of an agreement. */
  agreement(tokenId: string): Promise<BillingTokenAnswer>
}

type General = Pick<PaymentSettings['generalData'], 'restRoutes' | 'ajaxRestPath' | 'restNonce' | 'page'>

/**
 * Creates the calls of the shop's payment routes. All throw a PaymentFailure for a refusal, RequestFailed or
 * ShopUnavailable without a response.
 */
export function paymentCalls(general: General, send: typeof request = request): PaymentCalls {
  let nonce = general.restNonce

  async function sent(route: PaymentRoute, { body, id }: Message): Promise<Answer> {
    const url = routeUrl(general, route)
    const headers = { Accept: 'application/json', ...(nonce && { 'X-WP-Nonce': nonce }) }
    const answer = await (body
      ? send(url, {
          method: 'POST',
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        })
      : send(`${url}/${encodeURIComponent(id)}`, { headers }))
    nonce = answer.nonce ?? nonce
    if (answer.status >= 500 || answer.status === 429) {
      throw new ShopUnavailable(`${route} answered ${answer.status}`, errorIn(parseJson(answer.text)))
    }
    return answer
  }

  /** Fetches the nonce before the first call on a cached page, and again when it is stale. */
  async function freshNonce(): Promise<void> {
    const { text } = await sent(paymentRoutes.cartRefresh, { body: { page: general.page } })
    const answer = parseJson(text)
    if (isRecord(answer) && typeof answer.nonce === 'string') nonce = answer.nonce
  }

  async function call(route: PaymentRoute, message: Message): Promise<string> {
    if (!nonce) await freshNonce()
    let answer = await sent(route, message)
    if (answer.status === 403 && errorIn(parseJson(answer.text))?.code === paymentErrorCodes.staleNonce) {
      await freshNonce()
      answer = await sent(route, message)
    }
    const failure = errorIn(parseJson(answer.text))
    // The buttons now charge another amount than the page shows. The reloaded page shows the notice.
    if (failure?.code === paymentErrorCodes.pageOutdated) reloadPage()
    if (failure) throw failure
    if (!answer.ok) throw new PaymentFailure(`${route} answered ${answer.status}`)
    return answer.text
  }

  const ask = async (route: PaymentRoute, body: object) => cleanAnswer(await call(route, { body }))
  const record = (text: string): Record<string, unknown> => {
    const answer = parseJson(text)
    if (!isRecord(answer)) throw new ShopUnavailable('an answer of the shop cannot be read')
    return answer
  }

  return {
    async addItem(item) {
      const answer = await ask(paymentRoutes.cartItem, item)
      return orderId(isRecord(answer) ? answer.order_id : undefined)
    },
    createOrder: async (fields) => orderId(await ask(paymentRoutes.cartOrder, fields)),
    payOrder: async (order) => orderId(await ask(paymentRoutes.orderPay, order)),
    async checkout(fields) {
      const answer = record(await call(paymentRoutes.cartCheckout, { body: fields }))
      if (answer.result === 'success' && typeof answer.redirect === 'string') {
        return { result: 'success', redirect: answer.redirect }
      }
      return {
        result: 'failure',
        messages: typeof answer.messages === 'string' ? answer.messages : '',
        ...(typeof answer.code === 'string' ? { code: answer.code } : {}),
        refresh: answer.refresh === true,
        reload: answer.reload === true,
      }
    },
    async changeShipping(change) {
      await call(paymentRoutes.cartShipping, { body: change })
    },
    createSetupToken: async (fields) => tokenId(record(await call(paymentRoutes.setupTokens, { body: fields })).id),
    async keep(token) {
      const { id, payment_source } = record(await call(paymentRoutes.paymentTokens, { body: token }))
      // Proof of the cast: the shop's own route answers by this schema, and values filled in from it are validated like
      // typed ones.
      return { id: tokenId(id), payment_source: isRecord(payment_source) ? payment_source : {} } as PaymentTokensAnswer
    },
    // Proof of the cast: as above.
    agreement: async (id) => record(await call(paymentRoutes.billingToken, { id })) as BillingTokenAnswer,
  }
}

/** The posted body, or the requested id. */
type Message = { body: object; id?: never } | { body?: never; id: string }

/** Returns true if an error leaves the result of the request unknown. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof RequestFailed || error instanceof ShopUnavailable
}

export function routeUrl(
  { restRoutes, ajaxRestPath }: Pick<General, 'restRoutes' | 'ajaxRestPath'>,
  route: string,
): string {
  const listed = Object.hasOwn(restRoutes, route) ? restRoutes[route]?.url : undefined
  return listed ?? ajaxRestPath.replace('%s', () => route)
}

/** Returns a response without markup in its texts; of a list, the first element. */
export function cleanAnswer(text: string): unknown {
  const answer = parseJson(text) ?? parseJson(withoutTags(text)) ?? withoutTags(text)
  return clean(Array.isArray(answer) ? answer[0] : answer)
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return withoutTags(value)
  if (Array.isArray(value)) return value.map(clean)
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner)]))
  return value
}

const withoutTags = (text: string) => text.replace(/<[^>]*>/g, '').trim()

function orderId(value: unknown): string {
  if (typeof value === 'string' && walletOrderIdPattern.test(value)) return value
  throw new PaymentFailure('The shop answered without a wallet order.')
}

function tokenId(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw new PaymentFailure('The shop answered without a token.')
}

/** Returns a refusal: with status 400, or with 200 instead, an object with a code and without a result. */
function errorIn(answer: unknown): PaymentFailure | undefined {
  if (!isRecord(answer) || typeof answer.code !== 'string' || 'result' in answer) return undefined
  const { code, message, data } = answer
  const markup = isRecord(data) && typeof data.messages === 'string' && data.messages !== '' ? data.messages : undefined
  return new PaymentFailure(typeof message === 'string' ? message : code, { code, ...(markup ? { markup } : {}) })
}
