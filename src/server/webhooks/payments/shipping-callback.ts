import { z } from 'zod'
import { type ShippingFigures, type ShippingIssue, shippingQuestion } from '#contract/paypal/shipping-callback.ts'
import { findOrder } from '#database/orders/orders.ts'
import { findWalletOrder } from '#database/payments/wallet-orders.ts'
import { sessionById } from '#shop/customers/sessions/visit-session.ts'
import { walletOrderUpdate } from '#shop/payments/wallet/amend-wallet-order.ts'
import { shippingCallbackToken } from '#shop/payments/wallet/wallet-order.ts'
import { applyWalletShipping, type WalletShippingResult, walletPlace } from '#shop/payments/wallet/wallet-shipping.ts'
import { runSerially } from '#shop/shared/serial-queue.ts'
import { defineCall } from '../../calls/shared/define-call.ts'
import { BadBody } from '../../http/request/body-limits.ts'
import { parseJson } from '../../http/request/parse-json.ts'
import { readBytes } from '../../http/request/request-body.ts'
import { sameText } from '../../http/security/nonce.ts'
import { viewIn } from '../../translation/stored-locale-view.ts'

/**
 * `POST shipping-callback/{token}`: returns the figures of an order for another address or shipping option. Trusted by
 * the secret in its URL, which belongs to one order; requests about another order change nothing.
 */
export const shippingCallback = defineCall({
  name: 'shipping-callback/:token',
  door: 'rest',
  method: 'POST',
  input: z.unknown(),
  output: 'json',
  identity: 'provider-token',
  idempotency: 'natural',
  load: 'checkout',
  cache: 'private-no-store',
  forgery: { none: 'provider-signature' },
  async answer(visit) {
    let question: z.infer<typeof shippingQuestion>
    try {
      const bytes = await readBytes(visit.request, 64 * 1024)
      question = shippingQuestion.parse(parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)))
    } catch (error) {
      const status = error instanceof BadBody ? error.status : 400
      return Response.json({ code: 'malformed', message: 'The body is no question.', data: { status } }, { status })
    }
    const { id, shipping_address: address, shipping_option: option } = question
    const { kysely } = visit.app.tools.db
    const row = await findWalletOrder(kysely, id)
    const order = row && (await findOrder(kysely, row.order_id))
    const token = visit.url.pathname.split('/').at(-1) ?? ''
    if (!row || !order || !sameText(token, shippingCallbackToken(order))) return refused('STORE_UNAVAILABLE')
    // PayPal has one URL for all: the response uses the order's language and currency.
    const { tools } = viewIn(visit.app, order.language).inCurrency(order.currency)

    const result = await runSerially(tools.serialQueues, `wallet-shipping:${id}`, async () => {
      // Read inside the queue: changes of the previous callback count.
      const session = await sessionById(tools, row.session_id)
      if (!session) return { ok: false as const, reason: 'closed' as const }
      const taken = await applyWalletShipping(tools, session, id, {
        place: address ? walletPlace(address) : null,
        option: option?.id ?? null,
      })
      if (!taken.ok) return taken
      const unit = await walletOrderUpdate(tools, taken.order.id, id, taken.options)
      return unit ? { ok: true as const, unit } : { ok: false as const, reason: 'closed' as const }
    })
    if (!result.ok) {
      tools.log.info({ orderId: order.id, reason: result.reason }, 'shipping change in the wallet refused')
      return refused(issues[result.reason])
    }
    const { reference_id, amount, items, shipping } = result.unit
    const figures: ShippingFigures = {
      id,
      purchase_units: [
        { reference_id, amount, ...(items ? { items } : {}), shipping_options: shipping?.options ?? [] },
      ],
    }
    return Response.json(figures)
  },
})

const issues: Readonly<Record<(WalletShippingResult & { ok: false })['reason'], ShippingIssue>> = {
  country: 'COUNTRY_ERROR',
  address: 'ADDRESS_ERROR',
  method: 'METHOD_UNAVAILABLE',
  unavailable: 'STORE_UNAVAILABLE',
  closed: 'STORE_UNAVAILABLE',
  unreachable: 'STORE_UNAVAILABLE',
}

function refused(issue: ShippingIssue): Response {
  return Response.json({ name: 'UNPROCESSABLE_ENTITY', details: [{ issue }] }, { status: 422 })
}
