import { restUserAnswer, restUserInput } from '#contract/customers/rest-user.ts'
import { defineCall } from '../../calls/shared/define-call.ts'
import { refusedForUser, userRecord } from './user-record.ts'

/**
 * `POST`, `PUT` or `PATCH wp/v2/users/{id}`: dismisses the banner of a shop that is not open yet, until the next login.
 */
export const restUserCall = defineCall({
  name: 'users/:id',
  namespace: 'wp/v2',
  door: 'rest',
  method: 'POST',
  alsoMethods: ['PUT', 'PATCH'],
  input: restUserInput,
  description: { summary: 'Change the own user', tag: 'users', body: restUserInput, response: restUserAnswer },
  output: 'json',
  identity: 'shop-manager',
  idempotency: 'natural',
  load: 'personal-page',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
  async answer(visit, { id, woocommerce_meta }) {
    const refused = await refusedForUser(visit, id, 'rest_cannot_edit', 'edit')
    if (refused) return refused
    const wish = woocommerce_meta?.coming_soon_banner_dismissed
    const dismissed = await visit.change((state) => {
      const comingSoonDismissed = wish === undefined ? state.comingSoonDismissed : wish === 'yes'
      return { state: { ...state, comingSoonDismissed }, result: comingSoonDismissed }
    })
    return userRecord(visit, id, dismissed)
  },
})
