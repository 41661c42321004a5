import { z } from 'zod'
import { defineCall } from '../calls/shared/define-call.ts'
import { namespaceIndex } from './namespace-index.ts'

/** `GET /wp-json/wc/store/v1`: returns the index of the Store API, whose namespace has three parts. */
export const restStoreIndexCall = defineCall({
  name: '/wc/store/v1',
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
  answer: async ({ app }) => namespaceIndex(app, 'wc/store/v1'),
})
