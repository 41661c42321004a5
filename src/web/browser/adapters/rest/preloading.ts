import { splitUrl } from './request-url.ts'
import type { RestMiddleware, RestRequest } from './rest-request.ts'

/** A response that was printed with the page. */
export type PreparedAnswer = { readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }

/** By path with its query; those of OPTIONS requests are below that name. */
export type PreparedAnswers = Readonly<Record<string, PreparedAnswer | Readonly<Record<string, PreparedAnswer>>>>

/** Answers GET and OPTIONS with what the page brought along, each entry once. */
export function preloadMiddleware(prepared: PreparedAnswers): RestMiddleware {
  const { OPTIONS: options = {}, ...gets } = prepared
  const left = new Map([...entries('GET', gets), ...entries('OPTIONS', options)])
  return (request, next) => {
    const { method = 'GET', parse = true } = request
    const address = pathIn(request)
    if (address === undefined) return next(request)
    const key = `${method.toUpperCase()} ${sorted(address)}`
    const answer = left.get(key)
    if (!answer) return next(request)
    left.delete(key)
    const { body, headers = {} } = answer
    if (parse) return Promise.resolve(body)
    return Promise.resolve(
      new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json', ...headers } }),
    )
  }
}

function entries(method: string, answers: object): [string, PreparedAnswer][] {
  return Object.entries(answers).map(([path, answer]) => [`${method} ${sorted(path)}`, answer])
}

/** Returns the requested path; of a URL without a path, the value of its `rest_route`. */
function pathIn({ path, url, namespace, endpoint }: RestRequest): string | undefined {
  if (path !== undefined) return path
  if (namespace !== undefined && endpoint !== undefined) return `${namespace}/${endpoint}`
  if (url === undefined) return undefined
  const query = new URLSearchParams(splitUrl(url).query)
  const route = query.get('rest_route')
  if (route === null) return undefined
  query.delete('rest_route')
  return query.size ? `${route}?${query}` : route
}

/** Normalizes order and encoding of the parameters, so that equal requests compare equal. */
function sorted(address: string): string {
  const { before, query } = splitUrl(address)
  const parameters = new URLSearchParams(query)
  parameters.sort()
  const path = before.replace(/^\/+|\/+$/g, '')
  return parameters.size ? `${path}?${parameters}` : path
}
