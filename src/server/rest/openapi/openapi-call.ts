import { z } from 'zod'
import { defineCall } from '../../calls/shared/define-call.ts'
import { acceptedEncoding, type Bytes, compress, type Encoding } from '../../http/compression.ts'
import { indexHeaders } from '../route-index.ts'

/** The document in the encodings that were requested; dropped with the document. */
const encoded = new WeakMap<Bytes, Map<Encoding, Bytes>>()

/** `GET /wp-json/openapi.json`: returns the description of the API, the same for all callers. */
export const openApiCall = defineCall({
  name: '/openapi.json',
  namespace: 'root',
  door: 'rest',
  method: 'GET',
  input: z.object({}),
  output: 'json',
  identity: 'anyone',
  idempotency: 'safe',
  load: 'anonymous-page',
  cache: 'public',
  forgery: { none: 'safe method' },
  async answer({ app, request }) {
    const document = app.openApi()
    const encoding = acceptedEncoding(request.headers.get('accept-encoding'))
    const bodies = encoded.get(document) ?? new Map<Encoding, Bytes>()
    encoded.set(document, bodies)
    const body = bodies.get(encoding) ?? (await compress(document, encoding))
    bodies.set(encoding, body)
    return new Response(body, {
      headers: {
        ...indexHeaders,
        'Content-Type': 'application/json',
        Vary: 'Accept-Encoding',
        ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
      },
    })
  },
})
