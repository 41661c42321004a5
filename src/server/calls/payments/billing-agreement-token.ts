import { z } from 'zod'
import { billingTokenAnswer } from '#contract/payments/vault.ts'
import { readAgreementToken } from '#shop/payments/vault/billing-agreement.ts'
import { saveMethodRefusal } from '../../payments/save-method-refusal.ts'
import { defineCall } from '../shared/define-call.ts'

const input = z.object({ id: z.string().regex(/^BA-[A-Z0-9]{1,60}$/) })

/**
 * `GET billing-agreement/token/{id}`: whose agreement from before there was a vault it is, to fill the form. Only the visitor who
 * began it here may ask, and not often: what comes back is personal.
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
