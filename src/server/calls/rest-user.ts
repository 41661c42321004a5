import { restUserAnswer, restUserInput } from '#contract/calls/rest-user.ts'
import { mayActAs } from '#domain/customers/roles.ts'
import { readCustomer } from '#shop/read-account.ts'
import { refuse } from '../answer-call.ts'
import { defineCall } from '../call.ts'

/** `POST wp/v2/users/{id}`: a member of the staff has read the banner of a shop that is not open yet, until the next login. */
export const restUserCall = defineCall({
  name: 'users/:id',
  namespace: 'wp/v2',
  door: 'rest',
  method: 'POST',
  input: restUserInput,
  output: 'json',
  identity: 'own-session',
  idempotency: 'natural',
  load: 'personal-page',
  cache: 'private-no-store',
  forgery: { header: 'X-WP-Nonce' },
  async answer(visit, { id, woocommerce_meta }) {
    const { customerId, role } = await visit.session()
    // Of others not even whether they exist is told.
    if (customerId !== id || role === null || !mayActAs(role, 'shop_manager')) {
      const status = customerId === null ? 401 : 403
      return refuse({ door: 'rest' }, status, 'rest_cannot_edit', 'Sorry, you are not allowed to edit this user.')
    }
    const wish = woocommerce_meta?.coming_soon_banner_dismissed
    const dismissed = await visit.change((state) => {
      const comingSoonDismissed = wish === undefined ? state.comingSoonDismissed : wish === 'yes'
      return { state: { ...state, comingSoonDismissed }, result: comingSoonDismissed }
    })
    const customer = await readCustomer(visit.app.tools, id)
    return Response.json(
      restUserAnswer.parse({
        id,
        name: customer?.displayName ?? '',
        slug: customer?.username ?? '',
        woocommerce_meta: { coming_soon_banner_dismissed: dismissed ? 'yes' : 'no' },
      }),
    )
  },
})
