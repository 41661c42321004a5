import { urls } from '#contract/shared/urls.ts'
import type { CustomerFacts } from '#shop/customers/account-facts.ts'
import { readCustomer } from '#shop/customers/read-account.ts'
import { findHalfLogin } from '#shop/customers/sessions/pending-login.ts'
import { seeOther } from '../../http/redirect.ts'
import type { Visit } from '../../http/visit.ts'
import { foreignForm, isCrossSiteForm, logOutAction } from './account-answer.tsx'
import { logInPage } from './log-in.tsx'

export type Owner = { customerId: number; customer: CustomerFacts; logOutNonce: string }

type OwnAnswer = (visit: Visit, owner: Owner, params: Record<string, string>) => Promise<Response>

/** Wraps a page or form that only its customer sees; other visitors get the login form at the same address. */
export function customerPage(answer: OwnAnswer) {
  return gatedPage(async (visit, params) => {
    const customerId = await visit.customerId()
    if (customerId !== null) return ownedBy(visit, customerId, answer, params)
    const half = await findHalfLogin(visit.app.tools, await visit.session())
    return half ? showFactorFirst(visit) : askToLogIn(visit)
  })
}

/** Also accepts a login that still lacks the second factor: only for the page of the second factor. */
export function pendingLoginPage(answer: (visit: Visit, owner: Owner & { isHalf: boolean }) => Promise<Response>) {
  return gatedPage(async (visit, params) => {
    const customerId = await visit.customerId()
    const half = customerId === null ? await findHalfLogin(visit.app.tools, await visit.session()) : null
    const id = customerId ?? half?.customerId
    if (id === undefined) return askToLogIn(visit)
    return ownedBy(visit, id, (_, owner) => answer(visit, { ...owner, isHalf: half !== null }), params)
  })
}

function gatedPage(answer: (visit: Visit, params: Record<string, string>) => Promise<Response>) {
  return async (visit: Visit, params: Record<string, string>): Promise<Response> => {
    if (isCrossSiteForm(visit)) return foreignForm()
    // An invalid body is rejected for every sender.
    if (visit.request.method === 'POST') await visit.fields()
    return visit.hasSessionCookie ? answer(visit, params) : askToLogIn(visit)
  }
}

async function ownedBy(
  visit: Visit,
  customerId: number,
  answer: OwnAnswer,
  params: Record<string, string>,
): Promise<Response> {
  const customer = await readCustomer(visit.app.tools, customerId)
  if (!customer) return askToLogIn(visit)
  return answer(visit, { customerId, customer, logOutNonce: await visit.nonce(logOutAction) }, params)
}

function askToLogIn(visit: Visit): Promise<Response> {
  return logInPage(visit, { redirect: visit.url.pathname })
}

/** Redirects to the page of the second factor, and back afterwards. A posted form is lost; it had no effect yet. */
export function showFactorFirst({ url }: Visit): Response {
  return seeOther(urls.secondFactor({ redirect: url.pathname + url.search }))
}
