import { urls } from '#contract/shared/urls.ts'
import { recordAccess } from '#database/customers/access-log.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import { ownPasswordFault } from '#shop/customers/edit-customer.ts'
import { eraseCustomer } from '#shop/customers/erase-customer.ts'
import { exportCustomer } from '#shop/customers/export-customer.ts'
import { logOutElsewhere, logOutOf, readLogins } from '#shop/customers/sessions/read-logins.ts'
import { freshSession } from '#shop/customers/sessions/visit-session.ts'
import { PrivacyPage } from '#web/pages/customers/privacy-page.tsx'
import { loginField } from '#web/parts/customers/own-logins.tsx'
import { setCartCookies } from '../../cart/fragments.tsx'
import { detailsNotice, fieldsOf, staleFormNotice } from '../../customers/account-notices.ts'
import { seeOther } from '../../http/redirect.ts'
import type { Visit } from '../../http/visit.ts'
import { errorNotice, escapeHtml } from '../../notices/cart-notices.tsx'
import { accountAnswer, postedSecret, postedText } from './account-answer.tsx'
import { customerPage, type Owner } from './customer-page.ts'
import { loggedOut } from './log-out-redirect.ts'

const action = 'account-privacy'

export const privacyPage = customerPage((visit, owner) => page(visit, owner, []))

/** Ends other logins, exports the customer's data, or closes the account. Each requires the password again. */
export const privacyForm = customerPage(async (visit, owner) => {
  const shop = await visit.app.shop()
  const fields = await visit.fields()
  if (!(await visit.isNonce(fields['account-privacy-nonce'], action)))
    return page(visit, owner, [staleFormNotice(shop)])
  switch (postedText(fields, 'action')) {
    case 'log_out_ticked':
      return logOutTicked(visit, owner)
    case 'log_out_elsewhere': {
      const refused = await passwordNotice(visit, owner, 'logins_password')
      if (refused) return page(visit, owner, [refused])
      await logOutElsewhere(visit.app.tools, await visit.session(), owner.customerId)
      await visit.addNotice({
        kind: 'success',
        html: escapeHtml(shop.t('You have been logged out on all other devices.')),
      })
      return seeOther(urls.privacy())
    }
    case 'export': {
      const refused = await passwordNotice(visit, owner, 'export_password')
      return refused ? page(visit, owner, [refused]) : download(visit, owner)
    }
    case 'erase': {
      if (fields.erase_sure === undefined) {
        const text = shop.t('Please confirm that you want to delete your account.')
        return page(visit, owner, [
          errorNotice(text, 'erase_sure', shop.t('Confirm that you want to delete your account')),
        ])
      }
      const refused = await passwordNotice(visit, owner, 'erase_password')
      return refused ? page(visit, owner, [refused]) : erase(visit, owner)
    }
    default:
      return page(visit, owner, [])
  }
})

async function logOutTicked(visit: Visit, owner: Owner): Promise<Response> {
  const { t } = await visit.app.shop()
  const fields = await visit.fields()
  const others = (await readLogins(visit.app.tools, await visit.session(), owner.customerId)).filter(
    ({ isThis }) => !isThis,
  )
  const [first] = others
  const ticked = others.map(({ ref }) => ref).filter((ref) => fields[loginField(ref)] !== undefined)
  if (first && ticked.length === 0) {
    const text = t('Please select the devices to log out.')
    return page(visit, owner, [errorNotice(text, loginField(first.ref))])
  }
  const refused = await passwordNotice(visit, owner, 'logins_password')
  if (refused) return page(visit, owner, [refused], ticked)
  await logOutOf(visit.app.tools, await visit.session(), owner.customerId, ticked)
  await visit.addNotice({ kind: 'success', html: escapeHtml(t('The selected devices have been logged out.')) })
  return seeOther(urls.privacy())
}

async function passwordNotice(visit: Visit, { customerId }: Owner, field: string): Promise<NoticeFacts | null> {
  const typed = postedSecret(await visit.fields(), 'password_current')
  const fault = await ownPasswordFault(visit.app.tools, { customerId, ip: visit.ip }, typed)
  return fault ? { ...detailsNotice(await visit.app.shop(), fault), field } : null
}

async function download(visit: Visit, { customerId }: Owner): Promise<Response> {
  const { tools } = visit.app
  // Logged before it is read, so that a failure cannot hide the access.
  const subject = `customer:${customerId}`
  await recordAccess(tools.db.kysely, { at: visit.now, who: subject, action: 'exported', subject })
  const data = await exportCustomer(tools, customerId)
  const day = visit.now.toISOString().slice(0, 10)
  return new Response(`${JSON.stringify(data, null, 2)}\n`, {
    headers: {
      'Content-Type': 'application/json; charset=UTF-8',
      'Content-Disposition': `attachment; filename="my-data-${day}.json"`,
      'Cache-Control': 'private, no-store',
    },
  })
}

async function erase(visit: Visit, owner: Owner): Promise<Response> {
  const result = await eraseCustomer(visit.app.tools, owner.customerId, `customer:${owner.customerId}`)
  if (!result.ok && result.reason === 'staff') {
    const { t } = await visit.app.shop()
    return page(visit, owner, [errorNotice(t('Staff accounts are closed by other staff members.'))])
  }
  visit.forget(freshSession(visit.app.tools))
  setCartCookies(visit, { hash: '', lines: [] })
  return loggedOut(urls.account({ 'account-closed': 'true' }))
}

async function page(
  visit: Visit,
  { customerId, customer, logOutNonce }: Owner,
  notices: readonly NoticeFacts[],
  ticked: readonly string[] = [],
) {
  const { t } = await visit.app.shop()
  const { tools } = visit.app
  const element = (
    <PrivacyPage
      logins={await readLogins(tools, await visit.session(), customerId)}
      ticked={ticked}
      keepsOrderData={tools.settings.privacy.keepOrderData}
      isStaff={customer.role !== 'customer'}
      invalid={fieldsOf(notices)}
      nonce={await visit.nonce(action)}
      logOutNonce={logOutNonce}
    />
  )
  return accountAnswer(visit, { title: t('Logins and data'), element, notices })
}
