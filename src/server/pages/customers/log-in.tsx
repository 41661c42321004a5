import { urls } from '#contract/shared/urls.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { registerCustomer } from '#shop/customers/register-customer.ts'
import { logOut } from '#shop/customers/sessions/log-in.ts'
import { endHalfLogin, findHalfLogin } from '#shop/customers/sessions/pending-login.ts'
import { signIn } from '#shop/customers/sessions/sign-in.ts'
import { LogInPage } from '#web/pages/customers/log-in-page.tsx'
import { currentCart, setCartCookies } from '../../cart/fragments.tsx'
import { attributionIn } from '../../checkout/shopper-facts.ts'
import {
  fieldsOf,
  registrationNotice,
  signInNotice,
  staleFormNotice,
  tooManyNotice,
} from '../../customers/account-notices.ts'
import { refererPath, seeOther } from '../../http/redirect.ts'
import type { Visit } from '../../http/visit.ts'
import { escapeHtml } from '../../notices/cart-notices.tsx'
import {
  accountAnswer,
  foreignForm,
  isCrossSiteForm,
  logOutAction,
  postedEmail,
  postedSecret,
  postedText,
} from './account-answer.tsx'
import { loggedOut } from './log-out-redirect.ts'

type Typed = {
  redirect?: string
  username?: string
  remember?: boolean
  newUsername?: string
  email?: string
  notices?: readonly NoticeFacts[]
  status?: number
}

/** Answers with login and registration, with the input and its faults. Passwords are never printed. */
export async function logInPage(visit: Visit, typed: Typed = {}): Promise<Response> {
  const { t } = await visit.app.shop()
  const { accounts, attribution } = visit.app.tools.settings
  const notices = [...(typed.notices ?? [])]
  if (visit.url.searchParams.get('password-reset') === 'true' && notices.length === 0) {
    notices.push({ kind: 'success', html: escapeHtml(t('Your password has been saved. You can log in with it now.')) })
  }
  if (visit.url.searchParams.get('account-closed') === 'true' && notices.length === 0) {
    notices.push({ kind: 'success', html: escapeHtml(t('Your account is closed.')) })
  }
  const invalid = fieldsOf(notices)
  const referer = visit.url.pathname
  const { redirect = '', username = '', remember = false, newUsername = '', email = '', status = 200 } = typed
  return accountAnswer(visit, {
    title: t('My account'),
    status,
    notices,
    element: (
      <LogInPage
        login={{ nonce: await visit.nonce('woocommerce-login'), referer, redirect, username, remember, invalid }}
        register={
          accounts.registration
            ? {
                nonce: await visit.nonce('woocommerce-register'),
                referer,
                asksUsername: !accounts.generateUsername && !accounts.passwordByMail,
                asksPassword: !accounts.passwordByMail,
                username: newUsername,
                email,
                invalid,
                attribution: attribution.enabled,
              }
            : null
        }
      />
    ),
  })
}

/** Handles the login and registration forms. */
export async function logInForm(visit: Visit): Promise<Response> {
  if (isCrossSiteForm(visit)) return foreignForm()
  const fields = await visit.fields()
  if ((await visit.customerId()) !== null) return seeOther(afterLogin(visit, fields))
  if (fields.login !== undefined) return logInBy(visit, fields)
  if (fields.register !== undefined) return registerBy(visit, fields)
  return logInPage(visit)
}

type Fields = Readonly<Record<string, unknown>>

async function logInBy(visit: Visit, fields: Fields): Promise<Response> {
  const shop = await visit.app.shop()
  const typed = {
    redirect: postedText(fields, 'redirect'),
    username: postedText(fields, 'username'),
    remember: postedText(fields, 'rememberme') !== '',
  }
  if (!(await visit.isNonce(fields['woocommerce-login-nonce'], 'woocommerce-login'))) {
    return refuse(visit, fields, { ...typed, notices: [staleFormNotice(shop)] })
  }
  const { username: login, remember } = typed
  const password = postedSecret(fields, 'password')
  const form = { login, password, remember, ip: visit.ip, device: visit.userAgent }
  const result = await signIn(visit.app.tools, await visit.session(), form)
  if (result.ok) {
    visit.adopt(result.session)
    setCartCookies(visit, (await currentCart(visit)).facts)
    const next = afterLogin(visit, fields)
    const asksFactor = result.isHalf || result.session.owes !== null
    return seeOther(asksFactor ? urls.secondFactor({ redirect: next }) : next)
  }
  const refused = { ...typed, notices: [signInNotice(shop, result)] }
  if (result.reason !== 'too-many') return refuse(visit, fields, refused)
  const answer = await refuse(visit, fields, { ...refused, status: 429 })
  return answer.status === 429 ? waiting(answer, result.waitMs) : answer
}

type Refused = Required<Pick<Typed, 'username' | 'remember' | 'notices'>> & Typed

/** Shows the fault where the form was posted: the checkout has the same form, and its shopper stays there. */
async function refuse(visit: Visit, fields: Fields, refused: Refused): Promise<Response> {
  const stood = postedText(fields, '_wp_http_referer') || postedText(fields, 'redirect')
  const [path = ''] = refererPath(visit.request, stood, urls.account(), []).split('?')
  const { username, remember, notices } = refused
  // An empty cart has no checkout.
  if (visit.ownPath(path) !== urls.checkout() || (await visit.session()).state.lines.length === 0)
    return logInPage(visit, refused)
  await visit.change((state) => ({
    state: { ...state, refusedLogIn: { username, remember, invalid: fieldsOf(notices) } },
    result: null,
  }))
  await visit.addNotice(...notices)
  return seeOther(urls.checkout())
}

async function registerBy(visit: Visit, fields: Fields): Promise<Response> {
  const shop = await visit.app.shop()
  const typed = { newUsername: postedText(fields, 'username'), email: postedEmail(fields, 'email') }
  if (!(await visit.isNonce(fields['woocommerce-register-nonce'], 'woocommerce-register'))) {
    return logInPage(visit, { ...typed, notices: [staleFormNotice(shop)] })
  }
  const form = {
    email: typed.email,
    username: typed.newUsername,
    password: postedSecret(fields, 'password'),
    ip: visit.ip,
    device: visit.userAgent,
    attribution: attributionIn(visit, fields),
  }
  const result = await registerCustomer(visit.app.tools, await visit.session(), form)
  if (!result.ok) {
    if (result.reason !== 'too-many') {
      return logInPage(visit, { ...typed, notices: [registrationNotice(shop, result.reason, typed.email)] })
    }
    const notices = [tooManyNotice(shop.t, result.waitMs)]
    return waiting(await logInPage(visit, { ...typed, notices, status: 429 }), result.waitMs)
  }
  if (result.kind === 'mailed') {
    const text = shop.t('Please check your email: a message with the next step is on its way to you.')
    return logInPage(visit, { notices: [{ kind: 'success', html: escapeHtml(text) }] })
  }
  visit.adopt(result.session)
  setCartCookies(visit, (await currentCart(visit)).facts)
  return seeOther(afterLogin(visit, fields))
}

function waiting(response: Response, waitMs: number): Response {
  response.headers.set('Retry-After', String(Math.ceil(waitMs / 1000)))
  return response
}

/** Returns the page that the visitor came from, in this shop; for pages without a purpose after login, the account. */
function afterLogin(visit: Visit, fields: Fields): string {
  const wanted = postedText(fields, 'redirect') || postedText(fields, '_wp_http_referer')
  const path = refererPath(visit.request, wanted, urls.account(), ['wc_error', 'password-reset', 'account-closed'])
  return /^\/my-account\/(lost-password|customer-logout)\//.test(visit.ownPath(path)) ? urls.account() : path
}

/** Ends the login; a link without a valid nonce asks for confirmation. */
export async function logOutPage(visit: Visit): Promise<Response> {
  const { tools } = visit.app
  const isHalf = (await visit.customerId()) === null && (await findHalfLogin(tools, await visit.session())) !== null
  if (!isHalf && (await visit.customerId()) === null) return seeOther(urls.account())
  if (!(await visit.isNonce(visit.url.searchParams.get('_wpnonce'), logOutAction))) {
    const { t } = await visit.app.shop()
    const link = `<a href="${escapeHtml(urls.logOut(await visit.nonce(logOutAction)))}">${escapeHtml(t('Log out'))}</a>`
    await visit.addNotice({ kind: 'notice', html: `${escapeHtml(t('Do you want to log out?'))} ${link}` })
    return seeOther(urls.account())
  }
  if (isHalf) {
    // The cart belongs to the guest, and stays.
    await endHalfLogin(tools, await visit.session())
    return seeOther(urls.account())
  }
  visit.forget(await logOut(tools, await visit.session()))
  setCartCookies(visit, { hash: '', lines: [] })
  return loggedOut(urls.account())
}
