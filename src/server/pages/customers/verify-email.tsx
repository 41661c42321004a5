import { urls } from '#contract/shared/urls.ts'
import { addressOfLink, confirmEmail, requestEmailLink } from '#shop/customers/confirm-email.ts'
import { ConfirmEmailPage } from '#web/pages/customers/verify-email-page.tsx'
import { confirmNotice, staleFormNotice, tooManyNotice } from '../../customers/account-notices.ts'
import { seeOther } from '../../http/redirect.ts'
import type { Visit } from '../../http/visit.ts'
import { errorNotice, escapeHtml } from '../../notices/cart-notices.tsx'
import { accountAnswer } from './account-answer.tsx'
import { customerPage, type Owner } from './customer-page.ts'
import { dropLink, keepLink, type LinkCookie, linkInAddress, linkInCookie } from './email-link.ts'

const cookie: LinkCookie = { name: 'wp-confirm-email', path: urls.confirmEmail() }
const action = 'confirm-email'

const shown = customerPage(async (visit, owner) => {
  const link = linkInCookie(visit, cookie)
  const email = link?.customerId === owner.customerId ? await addressOfLink(visit.app.tools, link) : null
  if (email === null) return refuse(visit, 'link-invalid')
  const { t } = await visit.app.shop()
  const element = <ConfirmEmailPage email={email} nonce={await visit.nonce(action)} logOutNonce={owner.logOutNonce} />
  return accountAnswer(visit, { title: t('Confirm your email address'), element })
})

/**
 * Answers an emailed link with a page with one button, because mail programs open links by themselves. A visitor who is
 * not logged in does so first, at the same address.
 */
export async function confirmEmailPage(visit: Visit): Promise<Response> {
  if (!visit.url.searchParams.has('key')) return shown(visit, {})
  const link = linkInAddress(visit)
  if (!link) return refuse(visit, 'link-invalid')
  keepLink(visit, cookie, link)
  return seeOther(urls.confirmEmail())
}

/** Verifies the email address, or sends the link again. */
export const confirmEmailForm = customerPage(async (visit, owner) => {
  const shop = await visit.app.shop()
  const fields = await visit.fields()
  if (!(await visit.isNonce(fields['confirm-email-nonce'], action))) {
    await visit.addNotice(staleFormNotice(shop))
    return seeOther(urls.account())
  }
  if (fields.send !== undefined) return send(visit, owner)
  const link = linkInCookie(visit, cookie)
  if (!link) return refuse(visit, 'link-invalid')
  const result = await confirmEmail(visit.app.tools, owner.customerId, link)
  if (!result.ok) return refuse(visit, result.reason)
  dropLink(visit, cookie)
  await visit.addNotice({ kind: 'success', html: escapeHtml(shop.t('Your email address is confirmed.')) })
  if (result.linkedOrders > 0) {
    const text = shop.t('Earlier orders placed with this address are now in your account.')
    await visit.addNotice({ kind: 'notice', html: escapeHtml(text) })
  }
  return seeOther(urls.account())
})

/** Returns the nonce of the form that requests a link. */
export function confirmNonce(visit: Visit): Promise<string> {
  return visit.nonce(action)
}

async function send(visit: Visit, { customerId, customer }: Owner): Promise<Response> {
  const shop = await visit.app.shop()
  const result = await requestEmailLink(visit.app.tools, customerId, visit.ip)
  const notice = result.ok
    ? confirmNotice(shop, customer.emailWanted ?? customer.email)
    : tooManyNotice(shop.t, result.waitMs)
  await visit.addNotice(notice)
  return seeOther(urls.account())
}

/** Queues a notice for the next page, which for an anonymous visitor is the login. */
async function refuse(visit: Visit, reason: 'link-invalid' | 'email-taken'): Promise<Response> {
  const { t } = await visit.app.shop()
  dropLink(visit, cookie)
  const text =
    reason === 'link-invalid'
      ? t('This link has already been used, has expired or belongs to another account. Please request a new one.')
      : t('This address now belongs to another account.')
  await visit.addNotice(errorNotice(text))
  return seeOther(urls.account())
}
