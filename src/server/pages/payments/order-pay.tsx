import { termsVersionField } from '#contract/checkout/hooks.ts'
import { urls } from '#contract/shared/urls.ts'
import { findOrderItems } from '#database/orders/orders.ts'
import { decimalString } from '#domain/money/format-amount.ts'
import { agreedTerms } from '#shop/checkout/agreed-terms.ts'
import type { OrderFacts, OrderPayFacts } from '#shop/checkout/checkout-facts.ts'
import { approvedIn } from '#shop/checkout/parse-checkout.ts'
import { travels } from '#shop/orders/order-lines.ts'
import { isPayable, methodsForOrder, payOrder, soldOutProducts } from '#shop/payments/operation/pay-order.ts'
import { payerOf, readPaymentInput } from '#shop/payments/operation/payment-source.ts'
import { OrderPayPage } from '#web/pages/payments/order-pay-page.tsx'
import { fieldsOf } from '../../customers/account-notices.ts'
import { seeOther } from '../../http/redirect.ts'
import { isFromShop } from '../../http/security/origin-check.ts'
import type { Visit } from '../../http/visit.ts'
import { errorNotice } from '../../notices/cart-notices.tsx'
import { type GuardedOrder, guardOrder, verifyNotices } from '../../orders/order-access.ts'
import { closeOrderPay, payingSubmission, storePayingOrder } from '../../payments/order-pay-answer.ts'
import { withSavedMethods } from '../../payments/saved-methods.ts'
import { privatePage } from '../shared/page-answer.tsx'

const nonceOf = {
  'verify-email': ['wc_verify_email'],
  'log-in': ['woocommerce-login'],
  pay: ['woocommerce-pay', 'wp_rest'],
} as const

type Params = Record<string, string>
type Open = Extract<GuardedOrder, { kind: 'open' }>

/** Answers with the page that pays an existing order: from an email, the account, or after a failed payment. */
export async function orderPayPage(visit: Visit, { id = '' }: Params): Promise<Response> {
  const key = visit.url.searchParams.get('key') ?? ''
  const guarded = await guardOrder(visit, id, key)
  // A visitor who has verified the email address is not asked again when paying.
  if (guarded.kind === 'open' && !guarded.own) await storePayingOrder(visit, guarded.order.row.id)
  return answer(visit, await factsOf(visit, guarded))
}

/** Handles the payment form, and the form that verifies the email address, which posts to the same address. */
export async function orderPayForm(visit: Visit, params: Params): Promise<Response> {
  const { app } = visit
  if (!isFromShop(visit)) return new Response('Foreign form', { status: 403 })
  const fields = await visit.fields()
  if (fields.woocommerce_pay === undefined) return orderPayPage(visit, params)
  const key = visit.url.searchParams.get('key') ?? ''
  const guarded = await guardOrder(visit, params.id ?? '', key)
  if (guarded.kind !== 'open') return answer(visit, await factsOf(visit, guarded))
  const { id } = guarded.order.row
  const back = seeOther(urls.orderPay(id, key))
  const { t } = await app.shop()
  if (!(await visit.isNonce(fields['woocommerce-pay-nonce'], 'woocommerce-pay'))) {
    await visit.addNotice(errorNotice(t('This page was open for too long. Nothing was changed; please try again.')))
    return back
  }
  if (app.tools.terms() && !fields.terms) {
    await visit.addNotice(
      errorNotice(
        t('Please accept the terms and conditions to place your order.'),
        'terms',
        t('Accept the terms and conditions'),
      ),
    )
    return back
  }
  await storePayingOrder(visit, id)
  const method = textOf(fields.payment_method)
  const approved = approvedIn(fields)
  const submission = approved
    ? await closeOrderPay(visit, approved)
    : await payingSubmission(
        visit,
        await payOrder(app.tools, id, {
          method,
          seenTotal: seenIn(fields.seen_total),
          wish: readPaymentInput(fields, method),
          payer: payerOf(await visit.session()),
          terms: await agreedTerms(app.tools, fields[termsVersionField]),
        }),
      )
  if (submission.kind === 'redirect') return seeOther(submission.url)
  await visit.addNotice(...submission.notices)
  return back
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, 40) : '')

const seenIn = (value: unknown) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : null)

async function factsOf(visit: Visit, guarded: GuardedOrder): Promise<OrderPayFacts> {
  const url = visit.url.pathname + visit.url.search
  if (guarded.kind === 'log-in') return { kind: 'log-in', url }
  return guarded.kind === 'open' ? openFacts(visit, guarded) : guarded
}

async function openFacts(visit: Visit, { order: { row, facts: order } }: Open): Promise<OrderPayFacts> {
  const { tools } = visit.app
  const items = await findOrderItems(tools.db.kysely, row.id)
  if (!isPayable(row, travels(items))) return { kind: 'not-payable', order }
  const names = await soldOutProducts(tools, row)
  if (names.length > 0) return { kind: 'sold-out', order, names }
  return {
    kind: 'pay',
    order,
    methods: await withSavedMethods(visit, await methodsForOrder(tools, row)),
    terms: tools.terms() !== null,
  }
}

/**
 * Returns the order's facts for the wallet's scripts: an order is paid in its own currency, whatever the visitor sees.
 */
const paymentOrder = ({ id, key, currency, total }: OrderFacts) => ({
  order_id: id,
  order_key: key,
  currency,
  total: decimalString(total),
})

async function answer(visit: Visit, facts: OrderPayFacts): Promise<Response> {
  const shop = await visit.app.shop()
  const invalid = fieldsOf((await visit.session()).state.notices)
  const actions = facts.kind in nonceOf ? nonceOf[facts.kind as keyof typeof nonceOf] : []
  const nonces = Object.fromEntries(
    await Promise.all(actions.map(async (action) => [action, await visit.nonce(action)] as const)),
  )
  return privatePage(
    visit,
    {
      kind: 'order-pay',
      script: facts.kind === 'pay' ? 'order_pay' : 'other',
      ...(facts.kind === 'pay' ? { payment: { order: paymentOrder(facts.order) } } : {}),
      title: shop.t('Pay for order'),
      robots: 'noindex',
      notices: verifyNotices(shop, facts),
      element: <OrderPayPage facts={facts} nonces={nonces} invalid={invalid} />,
    },
    nonces,
  )
}
