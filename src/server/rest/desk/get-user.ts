import { restUserAnswer, restUserRecordInput } from '#contract/customers/rest-user.ts'
import { defineCall } from '../../calls/shared/define-call.ts'
import { refusedForUser, userRecord } from './user-record.ts'

/** `GET wp/v2/users/{id}`: returns the caller's own staff record. */
export const restUserRecordCall = defineCall({
  name: 'users/:id',
  namespace: 'wp/v2',
  door: 'rest',
  method: 'GET',
  input: restUserRecordInput,
  description: { summary: 'Read the own user', tag: 'users', query: restUserRecordInput, response: restUserAnswer },
  output: 'json',
  identity: 'shop-manager',
  idempotency: 'safe',
  load: 'personal-page',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
  async answer(visit, { id }) {
    const refused = await refusedForUser(visit, id, 'rest_forbidden', 'see')
    if (refused) return refused
    const { state } = await visit.session()
    return userRecord(visit, id, state.comingSoonDismissed)
  },
})
