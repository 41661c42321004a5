import { storeBatchInput, storeBatchOutput } from '#contract/cart/store-cart.ts'
import { storeHeaders } from '#contract/cart/store-headers.ts'
import type { Call } from '../../../calls/shared/define-call.ts'
import { parseForm } from '../../../http/request/request-body.ts'
import {
  errorAnswer,
  pathOf,
  requireNonce,
  routeOf,
  type StoreAnswer,
  type StoreContext,
  type StoreRoute,
  storeCall,
} from '../shared/store-call.ts'
import { StoreError } from '../shared/store-error.ts'

type BatchRequest = (typeof storeBatchInput)['_output']['requests'][number]

/**
 * Declares `batch`: runs several writes of the cart in sequence. Each sees the cart as the ones before have left it; a
 * failed one does not stop the others. Orders are placed by requests of their own.
 */
export function storeBatch(calls: readonly Call[]): Call {
  const routes = calls.flatMap((call) => routeOf(call) ?? [])
  return storeCall({
    name: 'batch',
    method: 'POST',
    summary: 'Run several writes of the cart',
    tag: 'batch',
    about: 'cart',
    input: storeBatchInput,
    output: storeBatchOutput,
    status: 207,
    async answer(context, { requests, validation }) {
      const found = requests.map((request) => routeFor(routes, request))
      if (validation === 'require-all-validate' && found.includes(null)) throw noSuchRoute()
      const nonce = context.visit.request.headers.get(storeHeaders.nonce)
      await requireNonces(context, requests, nonce)
      const responses: { status: number; headers: Record<string, string>; body: unknown }[] = []
      for (const [place, request] of requests.entries()) {
        const { status = 200, headers = {}, body } = await run(context, request, found[place] ?? null)
        responses.push({ status, headers: { ...headers }, body })
      }
      return { status: 207, body: { responses } }
    },
  })
}

type Found = { readonly route: StoreRoute; readonly path: Record<string, string>; readonly query: object }

const place = /^\/?(?:wp-json\/)?\/?wc\/store(?:\/v1)?\/(.+)$/

/** Checked before the first write, which may open a session with other nonces. */
async function requireNonces({ visit }: StoreContext, requests: readonly BatchRequest[], outer: string | null) {
  for (const { headers } of requests) {
    const own = Object.entries(headers).find(([name]) => name.toLowerCase() === storeHeaders.nonce.toLowerCase())?.[1]
    const nonce = Array.isArray(own) ? own[0] : own
    if (nonce !== undefined && nonce !== outer) await requireNonce(visit, nonce)
  }
}

function routeFor(routes: readonly StoreRoute[], { method, path }: BatchRequest): Found | null {
  const [bare = '', search = ''] = path.split('?', 2)
  const named = place.exec(bare)?.[1]?.replace(/\/+$/, '')
  if (named === undefined) return null
  const parts = named.split('/')
  for (const route of routes) {
    const own = route.name.split('/')
    if (route.about !== 'cart' || !route.methods.includes(method) || own.length !== parts.length) continue
    if (!own.every((part, at) => part.startsWith(':') || part === parts[at])) continue
    const given = Object.fromEntries(
      own.flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), decoded(parts[at] ?? '')]] : [])),
    )
    const members = pathOf(route, given)
    if (members) return { route, path: members, query: parseForm(new URLSearchParams(search)) }
  }
  return null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not an encoded text: taken as it is, and found nowhere.
    return text
  }
}

async function run(context: StoreContext, request: BatchRequest, found: Found | null): Promise<StoreAnswer> {
  const own = found ? { ...context, path: found.path } : context
  try {
    if (!found) throw noSuchRoute()
    return await found.route.run(own, { ...found.query, ...request.body })
  } catch (error) {
    return errorAnswer(own, error)
  }
}

const noSuchRoute = () =>
  new StoreError(404, 'rest_no_route', 'No route was found matching the URL and request method.')
