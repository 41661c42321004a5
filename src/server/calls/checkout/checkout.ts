import { z } from 'zod'
import { isProviderMethod } from '#contract/payments/constants.ts'
import { approvedIn, methodIn } from '#shop/checkout/parse-checkout.ts'
import { updateCartCookies } from '../../cart/fragments.tsx'
import { noticesHtml, submitForm } from '../../checkout/checkout-answer.tsx'
import type { Visit } from '../../http/visit.ts'
import { errorNotice, expiredNotice } from '../../notices/cart-notices.tsx'
import { defineCall } from '../shared/define-call.ts'

const action = 'woocommerce-process_checkout'

/** `checkout`: handles the checkout form, posted by script. */
export const checkoutCall = defineCall({
  name: 'checkout',
  door: 'wc-ajax',
  method: 'POST',
  input: z.record(z.string(), z.unknown()),
  output: 'json',
  identity: 'own-session',
  idempotency: 'intention',
  load: 'checkout',
  cache: 'private-no-store',
  forgery: { checkedByCall: action },
  async answer(visit, fields) {
    const { t } = await visit.app.shop()
    const failure = async (messages: string, flags: { refresh?: boolean; reload?: boolean; code?: string } = {}) =>
      Response.json({ result: 'failure', messages, refresh: false, reload: false, ...flags })
    const empty = (await visit.session()).state.lines.length === 0
    const approvedId = approvedIn(fields)
    if (empty && !approvedId && !fields.intention) return failure(await noticesHtml(visit, [expiredNotice(t)]))
    if (!(await visit.isNonce(nonceIn(fields), action))) {
      if (empty) {
        // Logged out by another tab, or without cookies by now: there is nothing to order, and the page that comes says
        // so.
        await visit.addNotice(expiredNotice(t))
        return failure('', { reload: true })
      }
      const text = t('We were unable to process your order, please try again.')
      return failure(await noticesHtml(visit, [errorNotice(text)]), { refresh: true })
    }
    if (fields.woocommerce_checkout_update_totals) return failure('', { refresh: true })
    const start = isProviderMethod(methodIn(fields)) && !approvedId
    const submission = await submitForm(visit, fields, { approvedId, start, looked: true })
    if (submission.kind === 'notices' && submission.reload) {
      await visit.addNotice(...submission.notices)
      return failure('', { reload: true })
    }
    if (submission.kind === 'notices') {
      const code = submission.issue ? { code: submission.issue } : {}
      return failure(await noticesHtml(visit, submission.notices), { refresh: submission.refresh, ...code })
    }
    const { walletOrderId, orderId, url } = submission
    if (!walletOrderId && orderId > 0) return ordered(visit, orderId, url)
    return Response.json({ result: 'success', redirect: url, order_id: orderId })
  },
})

async function ordered(visit: Visit, orderId: number, url: string): Promise<Response> {
  await updateCartCookies(visit)
  return Response.json({ result: 'success', redirect: url, order_id: orderId })
}

const nonceIn = (fields: Readonly<Record<string, unknown>>) =>
  fields['woocommerce-process-checkout-nonce'] ?? fields._wpnonce
