import { urls } from '#contract/urls.ts'
import type { CustomerFacts } from '#shop/account-facts.ts'
import { readCustomer } from '#shop/read-account.ts'
import { seeOther } from '../../redirect.ts'
import type { Visit } from '../../visit.ts'
import { foreignForm, isForeign, logOutAction } from './account-answer.tsx'
import { logInPage } from './log-in.tsx'

export type Owner = { customerId: number; customer: CustomerFacts; logOutNonce: string }

type OwnAnswer = (visit: Visit, owner: Owner, params: Record<string, string>) => Promise<Response>

/** A page or form that only its customer sees; everybody else is asked to log in at the same address. */
export function ownPage(answer: OwnAnswer) {
  return halfOwnPage(async (visit, owner, params) =>
    (await visit.session()).owes === 'code' ? showFactorFirst(visit) : answer(visit, owner, params),
  )
}

/** The same for who has shown the password, and not yet the second factor. */
export function halfOwnPage(answer: OwnAnswer) {
  return async (visit: Visit, params: Record<string, string>): Promise<Response> => {
    if (isForeign(visit)) return foreignForm()
    // A body that cannot be read is refused whoever has sent it.
    if (visit.request.method === 'POST') await visit.fields()
    const customerId = await visit.customerId()
    const customer = customerId === null ? null : await readCustomer(visit.app.tools, customerId)
    if (customerId === null || !customer) return logInPage(visit, { redirect: visit.url.pathname })
    return answer(visit, { customerId, customer, logOutNonce: await visit.nonce(logOutAction) }, params)
  }
}

/** To the page where the second factor is shown or set up, and back afterwards. What was posted is lost: nothing of it was done. */
export function showFactorFirst({ url }: Visit): Response {
  return seeOther(urls.secondFactor({ redirect: url.pathname + url.search }))
}
