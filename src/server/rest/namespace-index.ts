import { z } from 'zod'
import { defineCall } from '../calls/shared/define-call.ts'
import { noRoute } from '../calls/shared/refuse-call.ts'
import type { Application } from '../operations/startup/application.ts'
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
  answer: async ({ app }, { vendor, version }) => namespaceIndex(app, `${vendor}/${version}`),
})

/** Returns the index of one namespace; 404 for others. */
export function namespaceIndex(app: Application, namespace: string): Response {
  if (!listedNamespaces.includes(namespace)) return noRoute()
  const { publicUrl } = app.tools
  const routes = Object.fromEntries(
    Object.entries(app.restRoutes()).filter(([, route]) => route.namespace === namespace),
  )
  const answer = { namespace, routes, _links: { up: [{ href: rootUrl(publicUrl) }] } }
  return Response.json(answer, { headers: indexHeaders })
}
