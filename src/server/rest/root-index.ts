import { z } from 'zod'
import { hoursAhead } from '#shop/shared/local-time.ts'
import { defineCall } from '../calls/shared/define-call.ts'
import { indexHeaders, listedNamespaces } from './route-index.ts'
import { onlyFields } from './v3/response-fields.ts'

/**
 * `GET /wp-json/`: returns the index of the API, which clients request first. It discloses no more than the pages do.
 */
export const restRootCall = defineCall({
  name: '/',
  namespace: 'root',
  door: 'rest',
  method: 'GET',
  input: z.object({ _fields: z.string().max(1000).optional() }),
  output: 'json',
  identity: 'anyone',
  idempotency: 'safe',
  load: 'anonymous-page',
  cache: 'public',
  forgery: { none: 'safe method' },
  async answer({ app }, { _fields: fields }) {
    const { settings, publicUrl, clock } = app.tools
    const { tagline } = await app.shop()
    const index = {
      name: settings.name,
      description: tagline,
      url: publicUrl,
      home: publicUrl,
      gmt_offset: hoursAhead(clock.now(), settings.timeZone),
      timezone_string: settings.timeZone,
      namespaces: listedNamespaces,
      // Keys are created by a command only, so there is no authentication endpoint.
      authentication: {},
      routes: app.restRoutes(),
    }
    const asked = fields?.split(',').flatMap((field) => field.trim() || [])
    return Response.json(onlyFields(index, asked?.length ? asked : undefined), { headers: indexHeaders })
  },
})
