import { z } from 'zod'
import { billingTokenAnswer } from '#contract/payments/vault.ts'
import { readAgreementToken } from '#shop/payments/vault/billing-agreement.ts'
import { saveMethodRefusal } from '../../payments/save-method-refusal.ts'
import { defineCall } from '../shared/define-call.ts'

const input = z.object({ id: z.string().regex(/^BA-[A-Z0-9]{1,60}$/) })

/**
 * `GET billing-agreement/token/{id}`: returns the payer of a billing agreement, to fill the form. Restricted to the
 * visitor who started it, with a rate limit: the response has personal data.
 */
export const billingAgreementTokenCall = defineCall({
  name: 'billing-agreement/token/:id',
  door: 'rest',
  method: 'GET',
  input,
  output: 'json',
  identity: 'own-session',
  idempotency: 'safe',
  load: 'checkout',
  cache: 'private-no-store',
  forgery: { none: 'safe method' },
  async answer(visit, { id }) {
    const read = await readAgreementToken(visit.app.tools, await visit.session(), { id, ip: visit.ip })
    return read.ok ? Response.json(billingTokenAnswer.parse(read.answer)) : saveMethodRefusal(visit, read)
  },
})
