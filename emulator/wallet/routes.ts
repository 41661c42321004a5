import { readFileSync } from 'node:fs'
import type { Context, Hono } from 'hono'
import { approveOrder, liveOrder } from '../orders/approve-order.ts'
import type { Order } from '../orders/order.ts'
import type { Env } from '../rest/operation.ts'
import { browserCode } from '../sdk/browser-code.ts'
import type { World } from '../world/world.ts'
import { findBuyer } from './buyers.ts'
import {
  cancelAddress,
  donePage,
  emailPage,
  gonePage,
  openingPage,
  paidPage,
  passwordPage,
  returnAddress,
  reviewPage,
} from './pages.ts'

// No form-action: the answer to a form sends the buyer on to the shop, which is another origin.
const POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'"
const HEADERS = { 'content-security-policy': POLICY, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
const FIRST_BUYER = 'buyer@emulator.test'

/** The pages on which a buyer logs in and agrees to pay: plain forms, in a window or as the whole page. */
export function serveWallet(app: Hono<Env>, world: World): void {
  const show = (context: Context<Env>, page: ReturnType<typeof gonePage>, status: 200 | 404 | 422 = 200) =>
    context.html(page, status, HEADERS)
  const orderOf = (token: unknown) => (typeof token === 'string' ? liveOrder(world, token) : undefined)

  app.get('/checkoutnow', (context) => {
    const order = orderOf(context.req.query('token'))
    if (!order) return show(context, gonePage(), 404)
    if (isOver(order)) return show(context, paidPage(order))
    return show(context, order.buyer ? reviewPage(order, order.buyer) : emailPage(order, FIRST_BUYER))
  })

  app.post('/checkoutnow', async (context) => {
    const form = await context.req.parseBody()
    const order = orderOf(form.token)
    if (!order) return show(context, gonePage(), 404)
    if (isOver(order)) return show(context, paidPage(order))
    const email = typeof form.login_email === 'string' ? form.login_email : ''
    const buyer = findBuyer(email)
    switch (form.step) {
      case 'email':
        return buyer
          ? show(context, passwordPage(order, buyer.email))
          : show(context, emailPage(order, email, 'There is no such account here. Try one of those below.'), 422)
      case 'login':
        if (!buyer) return show(context, emailPage(order, email, 'There is no such account here.'), 422)
        order.buyer = buyer
        return context.redirect(`/checkoutnow?token=${order.id}`, 303)
      case 'logout':
        delete order.buyer
        return context.redirect(`/checkoutnow?token=${order.id}`, 303)
      case 'approve':
        return approve(context, order, form)
      default:
        return show(context, gonePage(), 422)
    }
  })

  async function approve(context: Context<Env>, order: Order, form: Record<string, unknown>) {
    const { buyer } = order
    if (!buyer) return context.redirect(`/checkoutnow?token=${order.id}`, 303)
    if (buyer.approvalMs > 0) await world.sleep(buyer.approvalMs)
    const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
    const approval = approveOrder(world, order.id, buyer, {
      addressId: text(form.address),
      shippingOptionId: text(form.shipping_option),
    })
    if (!approval.ok) return show(context, approval.reason === 'already-paid' ? paidPage(order) : gonePage(), 404)
    const back = form.mode === 'popup' ? undefined : returnAddress(order)
    return context.redirect(back ?? `/checkoutnow/done?token=${order.id}&result=approved`, 303)
  }

  app.get('/checkoutnow/cancel', (context) => {
    const order = orderOf(context.req.query('token'))
    if (!order) return show(context, gonePage(), 404)
    return context.redirect(cancelAddress(order) ?? `/checkoutnow/done?token=${order.id}&result=cancelled`, 303)
  })
  app.get('/checkoutnow/done', (context) => {
    const order = orderOf(context.req.query('token'))
    if (!order) return show(context, gonePage(), 404)
    // Only an order that was approved says so to the window's opener.
    const approved = context.req.query('result') === 'approved' && order.approvedMs !== undefined
    return show(context, donePage(order, approved ? 'approved' : 'cancelled'))
  })
  app.get('/checkoutnow/opening', (context) => show(context, openingPage()))

  const code = `(function () {\n'use strict';\n${browserCode(new URL('./browser/', import.meta.url), ['wallet.ts'])}\nrunWallet();\n})();\n`
  const styles = readFileSync(new URL('./wallet.css', import.meta.url), 'utf8')
  app.get('/checkoutnow/wallet.js', (context) =>
    context.body(code, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  )
  app.get('/checkoutnow/wallet.css', (context) =>
    context.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }),
  )
}

function isOver(order: Order): boolean {
  return order.status === 'COMPLETED' || order.status === 'VOIDED'
}
