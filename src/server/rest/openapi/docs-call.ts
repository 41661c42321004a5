import { z } from 'zod'
import { renderApiDocs } from '#web/api-docs/render-api-docs.tsx'
import { defineCall } from '../../calls/shared/define-call.ts'
import { reportDirective } from '../../http/security/security-headers.ts'
import { indexHeaders } from '../route-index.ts'

/**
 * No foreign script, no inline script, no network: the viewer is a file of the shop. It sets styles at its elements,
 * which a policy cannot allow one by one.
 */
const policy = [
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'",
  "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'",
  reportDirective,
].join('; ')

/** `GET /wp-json/docs`: shows the description of the API to people. */
export const apiDocsCall = defineCall({
  name: '/docs',
  namespace: 'root',
  door: 'rest',
  method: 'GET',
  input: z.object({}),
  output: 'html',
  identity: 'anyone',
  idempotency: 'safe',
  load: 'anonymous-page',
  cache: 'public',
  forgery: { none: 'safe method' },
  async answer({ app }) {
    return new Response(renderApiDocs(app.tools.settings.name, app.assets.apiDocs), {
      headers: {
        ...indexHeaders,
        'Content-Type': 'text/html; charset=UTF-8',
        'Content-Security-Policy': policy,
        'X-Frame-Options': 'DENY',
      },
    })
  },
})
