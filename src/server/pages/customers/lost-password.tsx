import { urls } from '#contract/shared/urls.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import {
  isResetLink,
  type ResetLink,
  requestPasswordReset,
  resetPassword,
} from '#shop/customers/credentials/reset-password.ts'
import { LostPasswordPage } from '#web/pages/customers/lost-password-page.tsx'
import { fieldsOf, resetNotice, staleFormNotice, tooManyNotice } from '../../customers/account-notices.ts'
import { seeOther } from '../../http/redirect.ts'
import type { Visit } from '../../http/visit.ts'
import { errorNotice } from '../../notices/cart-notices.tsx'
import { accountAnswer, foreignForm, isCrossSiteForm, postedSecret, postedText } from './account-answer.tsx'
import { dropLink, keepLink, type LinkCookie, linkInAddress, linkInCookie } from './email-link.ts'

const cookie: LinkCookie = { name: 'wp-resetpass', path: urls.lostPassword() }

/**
 * Answers with the pages of a lost password, from request to new password. The emailed link stores its key in a cookie
 * and redirects without it, so that no shown, logged or referring address contains the key.
 */
export async function lostPasswordPage(visit: Visit): Promise<Response> {
  const query = visit.url.searchParams
  if (query.has('key')) {
    const link = linkInAddress(visit)
    if (!link || !(await isResetLink(visit.app.tools, link))) return invalidLink(visit)
    keepLink(visit, cookie, link)
    return seeOther(urls.lostPassword({ 'show-reset-form': 'true' }))
  }
  if (query.get('show-reset-form') === 'true') {
    const link = linkInCookie(visit, cookie)
    return link && (await isResetLink(visit.app.tools, link)) ? chooseForm(visit, link, []) : invalidLink(visit)
  }
  return query.get('reset-link-sent') === 'true' ? sentPage(visit) : askForm(visit, '', [])
}

/** Handles the form that requests a link, and the one that sets the password. */
export async function lostPasswordForm(visit: Visit): Promise<Response> {
  if (isCrossSiteForm(visit)) return foreignForm()
  const fields = await visit.fields()
  return fields['woocommerce-reset-password-nonce'] === undefined ? ask(visit, fields) : choose(visit, fields)
}

type Fields = Readonly<Record<string, unknown>>

async function ask(visit: Visit, fields: Fields): Promise<Response> {
  const shop = await visit.app.shop()
  const login = postedText(fields, 'user_login')
  if (!(await visit.isNonce(fields['woocommerce-lost-password-nonce'], 'lost_password'))) {
    return askForm(visit, login, [staleFormNotice(shop)])
  }
  const result = await requestPasswordReset(visit.app.tools, { login, ip: visit.ip })
  if (result.ok) return seeOther(urls.lostPassword({ 'reset-link-sent': 'true' }))
  const notice =
    result.reason === 'login-missing'
      ? errorNotice(
          shop.t('Enter a username or email address.'),
          'user_login',
          shop.t('Enter your username or email address'),
        )
      : tooManyNotice(shop.t, result.waitMs)
  return askForm(visit, login, [notice], result.reason === 'too-many' ? 429 : 200)
}

async function choose(visit: Visit, fields: Fields): Promise<Response> {
  const shop = await visit.app.shop()
  const link = linkInCookie(visit, cookie)
  if (!link) return invalidLink(visit)
  if (!(await visit.isNonce(fields['woocommerce-reset-password-nonce'], 'reset_password'))) {
    return chooseForm(visit, link, [staleFormNotice(shop)])
  }
  const result = await resetPassword(visit.app.tools, link, {
    password: postedSecret(fields, 'password_1'),
    repeat: postedSecret(fields, 'password_2'),
  })
  if (!result.ok) {
    if (result.reason === 'link-invalid') return invalidLink(visit)
    return chooseForm(visit, link, [resetNotice(shop, result.reason)])
  }
  dropLink(visit, cookie)
  return seeOther(urls.account({ 'password-reset': 'true' }))
}

async function askForm(visit: Visit, login: string, notices: readonly NoticeFacts[], status = 200): Promise<Response> {
  const { t } = await visit.app.shop()
  const facts = { kind: 'ask' as const, nonce: await visit.nonce('lost_password'), login, invalid: fieldsOf(notices) }
  const element = <LostPasswordPage facts={facts} />
  return accountAnswer(visit, { title: t('Lost password'), element, notices, status })
}

async function sentPage(visit: Visit): Promise<Response> {
  const { t } = await visit.app.shop()
  const element = <LostPasswordPage facts={{ kind: 'sent' }} />
  return accountAnswer(visit, { title: t('Lost password'), element })
}

async function chooseForm(visit: Visit, link: ResetLink, notices: readonly NoticeFacts[]): Promise<Response> {
  const { t } = await visit.app.shop()
  const nonce = await visit.nonce('reset_password')
  const facts = { kind: 'choose' as const, nonce, login: String(link.customerId), invalid: fieldsOf(notices) }
  const element = <LostPasswordPage facts={facts} />
  return accountAnswer(visit, { title: t('Choose a password'), element, notices })
}

async function invalidLink(visit: Visit): Promise<Response> {
  dropLink(visit, cookie)
  return askForm(visit, '', [resetNotice(await visit.app.shop(), 'link-invalid')])
}
