import { z } from 'zod'
import { restNonceAction } from '#contract/shared/rest.ts'
import { defineCall } from '../calls/shared/define-call.ts'

/** `admin-ajax.php?action=rest-nonce`: returns the nonce of the caller's next REST call, as plain text. */
export const restNonceCall = defineCall({
  name: restNonceAction,
  door: 'admin-ajax',
  method: 'GET',
  input: z.object({}),
  output: 'text',
  identity: 'own-session',
  idempotency: 'safe',
  load: 'personal-page',
  cache: 'private-no-store',
  // Other sites may send the request, but cannot read the response.
  forgery: { none: 'safe method' },
  async answer(visit) {
    return new Response(await visit.nonce('wp_rest'), { headers: { 'Content-Type': 'text/plain; charset=UTF-8' } })
  },
})
