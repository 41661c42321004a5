import { readFileSync } from 'node:fs'
import type { Context, Hono } from 'hono'
import { approveOrder } from '../orders/approve-order.ts'
import { buyerOfIdToken } from '../rest/oauth.ts'
import type { Env } from '../rest/operation.ts'
import { browserCode } from '../sdk/browser-code.ts'
import { approveAgreementToken, approveSetupToken } from '../vault/vault.ts'
import type { World } from '../world/world.ts'
import { type Buyer, findBuyer } from './buyers.ts'
import { cardPage } from './card-page.ts'
import { emptyGuestForm, guestFormOf, readGuest } from './guest.ts'
import {
  donePage,
  emailPage,
  expiredPage,
  type Html,
  keepPage,
  openingPage,
  overPage,
  passwordPage,
  reviewPage,
} from './pages.ts'
import { applyWalletChoice, chosenAddress, questionOf, settleByPage, usesWalletAddress } from './shipping.ts'
import {
  cancelAddress,
  forgetBuyer,
  isAgreed,
  isOver,
  isPageCallbackAllowed,
  returnAddress,
  type Subject,
  subjectOf,
} from './visit.ts'

// No form-action: the answer to a form sends the buyer on to the shop, which is another origin.
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'"
const HEADERS = { 'content-security-policy': POLICY, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
const FIRST_BUYER = 'buyer@emulator.test'
const FUNDINGS = ['paypal', 'venmo', 'paylater', 'card']
const VERDICTS = ['accepted', 'refused', 'own'] as const

type Form = Record<string, string | undefined>
type Status = 200 | 404 | 422

/** The pages on which a buyer logs in and agrees, to pay or to be charged later: plain forms, in a window or alone. */
export function serveWallet(app: Hono<Env>, world: World): void {
  const show = (context: Context<Env>, page: Html, status: Status = 200) => context.html(page, status, HEADERS)

  async function visitPage(context: Context<Env>, token: string | undefined) {
    const subject = subjectOf(world, token)
    if (!subject) return show(context, expiredPage(), 404)
    if (isOver(subject)) return show(context, overPage(subject))
    const { visit } = subject
    const funding = context.req.query('fundingSource')
    if (funding !== undefined && FUNDINGS.includes(funding)) {
      visit.fundingSource = funding
      // A guest's card and an account do not mix.
      if (visit.buyer && (visit.card !== undefined) !== (funding === 'card')) forgetBuyer(visit)
    }
    // A shop that knows its customer says who comes: nobody logs in twice.
    const returning = buyerOfIdToken(world, context.req.query('userIDToken') ?? '')
    if (returning && !visit.buyer && visit.fundingSource !== 'card') await logIn(subject, returning)
    return show(context, await currentPage(subject))
  }
  app.get('/checkoutnow', (context) => visitPage(context, context.req.query('token')))
  app.get('/agreements/approve', (context) =>
    visitPage(context, context.req.query('approval_session_id') ?? context.req.query('ba_token')),
  )

  async function currentPage(subject: Subject): Promise<Html> {
    const { visit } = subject
    if (subject.kind === 'order' && visit.card && subject.order.declines > (visit.declines ?? 0)) {
      visit.declines = subject.order.declines
      forgetBuyer(visit)
      return cardPage(subject, emptyGuestForm(), { field: 'number', text: 'Your card was declined. Use another one.' })
    }
    if (visit.buyer) return agreementPage(subject, visit.buyer)
    return subject.kind === 'order' && visit.fundingSource === 'card'
      ? cardPage(subject, emptyGuestForm())
      : emailPage(subject, FIRST_BUYER)
  }

  function agreementPage(subject: Subject, buyer: Buyer): Html {
    if (subject.kind !== 'order') return keepPage(subject, buyer)
    const { order, visit } = subject
    const address = usesWalletAddress(order) ? chosenAddress(visit, buyer) : undefined
    const asksPage = !order.experience.callback && isPageCallbackAllowed(subject)
    const asks = asksPage && address !== undefined && visit.verifiedAddressId !== address.id
    return reviewPage(subject, buyer, asks)
  }

  /** From here on the wallet knows who it is; the shop hears at once where that buyer lives, if it wants to. */
  async function logIn(subject: Subject, buyer: Buyer): Promise<void> {
    subject.visit.buyer = buyer
    if (subject.kind === 'order') await applyWalletChoice(world, subject.order, subject.visit, buyer, {})
  }

  app.post('/checkoutnow', async (context) => {
    const form = await formOf(context)
    const subject = subjectOf(world, form.token)
    if (!subject) return show(context, expiredPage(), 404)
    if (isOver(subject)) return show(context, overPage(subject))
    const { visit } = subject
    const email = form.login_email ?? ''
    const known = findBuyer(email)
    switch (form.step) {
      case 'email':
        return known
          ? show(context, passwordPage(subject, known.email))
          : show(context, emailPage(subject, email, 'There is no such account here. Try one of those below.'), 422)
      case 'login':
        if (!known) return show(context, emailPage(subject, email, 'There is no such account here.'), 422)
        await logIn(subject, known)
        return context.redirect(subject.address, 303)
      case 'card': {
        const typed = guestFormOf(form)
        const guest = readGuest(typed, world.clock.now())
        if (!guest.ok) return show(context, cardPage(subject, { ...typed, number: '', cvv: '' }, guest), 422)
        visit.card = guest.card
        await logIn(subject, guest.buyer)
        return context.redirect(subject.address, 303)
      }
      case 'logout':
        forgetBuyer(visit)
        return context.redirect(subject.address, 303)
      default:
        if (!visit.buyer) return context.redirect(subject.address, 303)
        return decide(context, subject, visit.buyer, form)
    }
  })

  async function decide(context: Context<Env>, subject: Subject, buyer: Buyer, form: Form) {
    if (subject.kind !== 'order') return form.step === 'agree' ? keep(context, subject, buyer, form) : unknown(context)
    const { order, visit } = subject
    const wish = { addressId: form.address, optionId: form.shipping_option }
    switch (form.step) {
      case 'approve':
        return approve(context, subject, buyer, form)
      case 'shipping':
        await applyWalletChoice(world, order, visit, buyer, wish)
        return form.mode === 'redirect' ? context.redirect(subject.address, 303) : context.json({})
      case 'question': {
        // The shop's server is asked in place of its page where the order says so.
        if (order.experience.callback || !isPageCallbackAllowed(subject)) {
          await applyWalletChoice(world, order, visit, buyer, wish)
          return context.json({})
        }
        if (form.address !== undefined) visit.addressId = form.address
        return context.json({ question: questionOf(order, visit, buyer, wish) })
      }
      case 'verdict': {
        const verdict = VERDICTS.find((one) => one === form.verdict) ?? 'refused'
        settleByPage(order, visit, wish, { verdict, ...(form.message ? { message: form.message } : {}) })
        return context.json({})
      }
      default:
        return unknown(context)
    }
  }

  const unknown = (context: Context<Env>) => show(context, expiredPage(), 422)

  async function approve(
    context: Context<Env>,
    subject: Extract<Subject, { kind: 'order' }>,
    buyer: Buyer,
    form: Form,
  ) {
    const { order, visit } = subject
    if (form.mode === 'redirect') {
      // Nothing was said of what has been chosen since the page was made: without a script it comes with the press.
      const seen = order.units[0]?.amount.value
      await applyWalletChoice(world, order, visit, buyer, { addressId: form.address, optionId: form.shipping_option })
      // Nobody agrees to a total that they have not seen.
      if (visit.refusal || order.units[0]?.amount.value !== seen)
        return show(context, agreementPage(subject, buyer), 422)
    } else {
      if (form.address !== undefined) visit.addressId = form.address
      // A shop that has not answered yet holds nobody up; one that has refused does.
      if (visit.refusal?.blocks && visit.verifiedAddressId === chosenAddress(visit, buyer)?.id) {
        return show(context, agreementPage(subject, buyer), 422)
      }
    }
    if (buyer.approvalMs > 0) await world.sleep(buyer.approvalMs)
    const approval = approveOrder(world, order.id, buyer, {
      addressId: chosenAddress(visit, buyer)?.id,
      funding: visit.fundingSource === 'venmo' ? 'venmo' : 'paypal',
      ...(visit.card ? { card: visit.card } : {}),
    })
    if (approval.ok) return leave(context, subject, form)
    return show(context, approval.reason === 'already-paid' ? overPage(subject) : expiredPage(), 404)
  }

  async function keep(context: Context<Env>, subject: Exclude<Subject, { kind: 'order' }>, buyer: Buyer, form: Form) {
    if (buyer.approvalMs > 0) await world.sleep(buyer.approvalMs)
    const kept =
      subject.kind === 'setup'
        ? approveSetupToken(world, subject.id, buyer)
        : approveAgreementToken(world, subject.id, buyer)
    return kept ? leave(context, subject, form) : show(context, expiredPage(), 404)
  }

  function leave(context: Context<Env>, subject: Subject, { mode }: Form) {
    const back = mode === 'popup' ? undefined : returnAddress(subject)
    return context.redirect(back ?? `/checkoutnow/done?token=${subject.id}&result=approved`, 303)
  }

  app.get('/checkoutnow/cancel', (context) => {
    const subject = subjectOf(world, context.req.query('token'))
    if (!subject) return show(context, expiredPage(), 404)
    return context.redirect(cancelAddress(subject) ?? `/checkoutnow/done?token=${subject.id}&result=cancelled`, 303)
  })
  app.get('/checkoutnow/done', (context) => {
    const subject = subjectOf(world, context.req.query('token'))
    if (!subject) return show(context, expiredPage(), 404)
    const approved = context.req.query('result') === 'approved' && isAgreed(subject)
    return show(context, donePage(subject, approved ? 'approved' : 'cancelled'))
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

/** The last value of each field: a button that is pressed stands after the hidden field of its name. */
async function formOf(context: Context<Env>): Promise<Form> {
  const body = await context.req.parseBody()
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [key, typeof value === 'string' ? value : undefined]),
  )
}
