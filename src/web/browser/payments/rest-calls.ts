import type { CartCheckoutAnswer } from '#contract/calls/payment-cart-checkout.ts'
import type { CartItemInput } from '#contract/calls/payment-cart-item.ts'
import type { OrderPayInput } from '#contract/calls/payment-order-pay.ts'
import type { PaymentSettings } from '#contract/payment-settings.ts'
import { type PaymentRoute, paymentErrorCodes, paymentRoutes, walletOrderIdPattern } from '#contract/payment-words.ts'
import { type Answer, isRecord, parseJson, RequestFailed, request } from '../request.ts'
import { PaymentFailure } from './payment-failure.ts'

/** The shop answered that it cannot answer; the same request may be sent again. */
export class ShopUnavailable extends Error {
  override readonly name = 'ShopUnavailable'
  /** What the shop said about it, where it said something. */
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
}

type General = Pick<PaymentSettings['generalData'], 'restRoutes' | 'ajaxRestPath' | 'restNonce' | 'page'>

/** The shop's payment routes. All throw a PaymentFailure when refused, RequestFailed or ShopUnavailable when not answered. */
export function paymentCalls(general: General, send: typeof request = request): PaymentCalls {
  let nonce = general.restNonce

  async function post(route: PaymentRoute, body: object): Promise<Answer> {
    const answer = await send(routeUrl(general, route), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        ...(nonce && { 'X-WP-Nonce': nonce }),
      },
      body: JSON.stringify(body),
    })
    nonce = answer.nonce ?? nonce
    if (answer.status >= 500 || answer.status === 429) {
      throw new ShopUnavailable(`${route} answered ${answer.status}`, errorIn(parseJson(answer.text)))
    }
    return answer
  }

  /** Pages that are cached for everybody carry no nonce: it is fetched before the first call, and once more when it is stale. */
  async function freshNonce(): Promise<void> {
    const { text } = await post(paymentRoutes.cartRefresh, { page: general.page })
    const answer = parseJson(text)
    if (isRecord(answer) && typeof answer.nonce === 'string') nonce = answer.nonce
  }

  async function call(route: PaymentRoute, body: object): Promise<string> {
    if (!nonce) await freshNonce()
    let answer = await post(route, body)
    if (answer.status === 403 && errorIn(parseJson(answer.text))?.code === paymentErrorCodes.staleNonce) {
      await freshNonce()
      answer = await post(route, body)
    }
    const failure = errorIn(parseJson(answer.text))
    if (failure) throw failure
    if (!answer.ok) throw new PaymentFailure(`${route} answered ${answer.status}`)
    return answer.text
  }

  const ask = async (route: PaymentRoute, body: object) => cleanAnswer(await call(route, body))

  return {
    async addItem(item) {
      const answer = await ask(paymentRoutes.cartItem, item)
      return orderId(isRecord(answer) ? answer.order_id : undefined)
    },
    createOrder: async (fields) => orderId(await ask(paymentRoutes.cartOrder, fields)),
    payOrder: async (order) => orderId(await ask(paymentRoutes.orderPay, order)),
    async checkout(fields) {
      const answer = parseJson(await call(paymentRoutes.cartCheckout, fields))
      if (!isRecord(answer)) throw new ShopUnavailable('the answer to the checkout cannot be read')
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
  }
}

/** Whether an error leaves open what became of the request. */
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

/** An answer without any markup in its texts; of a list, the first element. */
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

/** A refusal: with status 400, or with 200 in its place, always an object with a code and without a result. */
function errorIn(answer: unknown): PaymentFailure | undefined {
  if (!isRecord(answer) || typeof answer.code !== 'string' || 'result' in answer) return undefined
  const { code, message, data } = answer
  const markup = isRecord(data) && typeof data.messages === 'string' && data.messages !== '' ? data.messages : undefined
  return new PaymentFailure(typeof message === 'string' ? message : code, { code, ...(markup ? { markup } : {}) })
}
