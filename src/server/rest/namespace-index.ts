import { z } from 'zod'
import { defineCall } from '../calls/shared/define-call.ts'
import { noRoute } from '../calls/shared/refuse-call.ts'
import { indexHeaders, listedNamespaces, rootUrl } from './route-index.ts'

/** `GET /wp-json/wc/v3`: returns the index of one namespace. */
export const restNamespaceCall = defineCall({
  name: '/:vendor/:version',
  namespace: 'root',
  door: 'rest',
  method: 'GET',
  input: z.object({ vendor: z.string().max(100), version: z.string().max(100) }),
  output: 'json',
  identity: 'anyone',
  idempotency: 'safe',
  load: 'anonymous-page',
  cache: 'public',
  forgery: { none: 'safe method' },
  async answer({ app }, { vendor, version }) {
    const namespace = `${vendor}/${version}`
    if (!listedNamespaces.includes(namespace)) return noRoute()
    const { publicUrl } = app.tools
    const routes = Object.fromEntries(
      Object.entries(app.restRoutes()).filter(([, route]) => route.namespace === namespace),
    )
    const answer = { namespace, routes, _links: { up: [{ href: rootUrl(publicUrl) }] } }
    return Response.json(answer, { headers: indexHeaders })
  },
})
