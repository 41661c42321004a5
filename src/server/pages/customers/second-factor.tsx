import { urls } from '#contract/shared/urls.ts'
import type { NoticeFacts } from '#shop/cart/cart-facts.ts'
import {
  beginSecondFactor,
  type CodeRefusal,
  confirmSecondFactor,
  type FactorOwner,
  type FactorResult,
  readSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  verifySecondFactor,
} from '#shop/customers/credentials/second-factor.ts'
import { ownPasswordFault } from '#shop/customers/edit-customer.ts'
import { RecoveryCodesPage, SecondFactorPage } from '#web/pages/customers/second-factor-page.tsx'
import { detailsNotice, fieldsOf, staleFormNotice, tooManyNotice } from '../../customers/account-notices.ts'
import { refererPath, seeOther } from '../../http/redirect.ts'
import type { Visit } from '../../http/visit.ts'
import { errorNotice, escapeHtml } from '../../notices/cart-notices.tsx'
import { errorPage } from '../shared/error-page.tsx'
import { accountAnswer, postedSecret, postedText } from './account-answer.tsx'
import { type Owner, pendingLoginPage } from './customer-page.ts'

const action = 'second-factor'

type FactorPageOwner = Owner & { isHalf: boolean }

/** Wraps a page for staff alone, also before the second factor was entered. */
const staffPage = (answer: (visit: Visit, owner: FactorPageOwner) => Promise<Response>) =>
  pendingLoginPage(async (visit, owner) =>
    owner.customer.role === 'customer' ? errorPage(visit, 404) : answer(visit, owner),
  )

export const secondFactorPage = staffPage((visit, owner) => page(visit, owner, []))

/** Verifies the second factor, sets one up, creates new recovery codes, or removes it. */
export const secondFactorForm = staffPage(async (visit, owner) => {
  const shop = await visit.app.shop()
  const fields = await visit.fields()
  if (!(await visit.isNonce(fields['second-factor-nonce'], action))) return page(visit, owner, [staleFormNotice(shop)])
  const { tools } = visit.app
  const session = await visit.session()
  const typed = postedText(fields, 'code').slice(0, 40)
  const asked = postedText(fields, 'action')
  if (asked === 'show') {
    const shown = await verifySecondFactor(tools, session, factorOwner(visit, owner), typed)
    if (!shown.ok) return refused(visit, owner, shown, 'factor_code')
    visit.adopt(shown.session)
    return seeOther(onwards(visit, fields.redirect))
  }
  // Further actions require a complete login.
  if (owner.isHalf) return page(visit, owner, [])
  switch (asked) {
    case 'begin':
      return begin(visit, owner)
    case 'confirm':
      return withCodes(
        visit,
        owner,
        await confirmSecondFactor(tools, session, factorOwner(visit, owner), typed),
        'factor_code',
      )
    case 'renew':
      return withCodes(
        visit,
        owner,
        await renewRecoveryCodes(tools, session, factorOwner(visit, owner), typed),
        'renew_code',
      )
    case 'drop': {
      const dropped = await removeSecondFactor(tools, factorOwner(visit, owner), typed)
      if (!dropped.ok) return refused(visit, owner, dropped, 'drop_code')
      await visit.addNotice({ kind: 'success', html: escapeHtml(shop.t('Your second factor has been removed.')) })
      return seeOther(urls.secondFactor())
    }
    default:
      return page(visit, owner, [])
  }
})

/** Requires the password: a person at an unlocked computer must not register a device of their own. */
async function begin(visit: Visit, owner: FactorPageOwner): Promise<Response> {
  const fields = await visit.fields()
  const { customerId } = owner
  const fault = await ownPasswordFault(
    visit.app.tools,
    { customerId, ip: visit.ip },
    postedSecret(fields, 'password_current'),
  )
  if (fault) return page(visit, owner, [detailsNotice(await visit.app.shop(), fault)])
  await beginSecondFactor(visit.app.tools, factorOwner(visit, owner))
  return seeOther(urls.secondFactor(wayBack(visit, fields.redirect)))
}

function factorOwner({ ip, userAgent, app }: Visit, { customerId }: Owner): FactorOwner {
  return { customerId, ip, device: userAgent, secret: app.secret }
}

/** Shows new recovery codes; this page is their only appearance. */
async function withCodes(visit: Visit, owner: FactorPageOwner, result: FactorResult, field: string): Promise<Response> {
  if (!result.ok) return refused(visit, owner, result, field)
  visit.adopt(result.session)
  const { t } = await visit.app.shop()
  const { redirect } = await visit.fields()
  const element = (
    <RecoveryCodesPage
      codes={result.recoveryCodes}
      onwards={onwards(visit, redirect)}
      logOutNonce={await visit.nonce('customer-logout')}
    />
  )
  return accountAnswer(visit, { title: t('Second factor'), element })
}

async function refused(visit: Visit, owner: FactorPageOwner, refusal: CodeRefusal, field: string): Promise<Response> {
  const { t } = await visit.app.shop()
  switch (refusal.reason) {
    case 'code-missing':
      return page(visit, owner, [errorNotice(t('Please enter the code.'), field, t('Enter the code'))])
    case 'code-wrong':
      return page(visit, owner, [
        errorNotice(
          t('This code is incorrect or has already been used. Please wait for the next one.'),
          field,
          t('Check the code, or wait for the next one'),
        ),
      ])
    case 'too-many': {
      const answer = await page(visit, owner, [{ ...tooManyNotice(t, refusal.waitMs), field }], 429)
      answer.headers.set('Retry-After', String(Math.ceil(refusal.waitMs / 1000)))
      return answer
    }
  }
}

/** Returns the target of this login in the shop; by default the dashboard. */
function onwards(visit: Visit, posted: unknown): string {
  const wanted = typeof posted === 'string' ? posted : ''
  const path = wanted === '' ? urls.account() : refererPath(visit.request, wanted, urls.account(), [])
  return visit.ownPath(path).startsWith(urls.secondFactor()) ? urls.account() : path
}

function wayBack(visit: Visit, posted: unknown): { redirect?: string } {
  const to = onwards(visit, posted)
  return to === urls.account() ? {} : { redirect: to }
}

async function page(
  visit: Visit,
  owner: FactorPageOwner,
  notices: readonly NoticeFacts[],
  status = 200,
): Promise<Response> {
  const { t } = await visit.app.shop()
  const { owes } = await visit.session()
  const posted = visit.request.method === 'POST' ? (await visit.fields()).redirect : null
  const element = (
    <SecondFactorPage
      // Details of the factor require a complete login.
      factor={owner.isHalf ? { kind: 'owed' } : await readSecondFactor(visit.app.tools, factorOwner(visit, owner))}
      required={owes === 'enrolment'}
      redirect={wayBack(visit, posted ?? visit.url.searchParams.get('redirect')).redirect ?? ''}
      invalid={fieldsOf(notices)}
      nonce={await visit.nonce(action)}
      logOutNonce={owner.logOutNonce}
    />
  )
  return accountAnswer(visit, { title: t('Second factor'), element, notices, status })
}
