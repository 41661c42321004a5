import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PurgeSettings } from '#server/cache/purge-requests.ts'
import { localServer } from '#tests/support/http/local-server.ts'

type KeptPage = { readonly tags: readonly string[]; readonly body: string }

export type Purge = { readonly tags: readonly string[]; readonly at: number }

export type CachingProxy = AsyncDisposable & {
  readonly url: string
  /** How a shop tells it what has changed. */
  readonly purge: PurgeSettings
  /** The purges that it has taken, in order. */
  readonly purges: Purge[]
  /** Requests to purge that it has met with, taken or not. */
  readonly asked: { readonly path: string; readonly token: string; readonly at: number }[]
  /** What it does with purges: takes them, refuses them, or sends whoever asks elsewhere. */
  mode: 'well' | 'down' | 'elsewhere'
  /** The shop's processes, asked in turn. */
  origins: readonly string[]
  /** Whether it has the page at hand. */
  has(path: string): boolean
  /** The page as a visitor sees it who comes by this cache. */
  page(path: string): Promise<string>
}

const token = 'only-the-cache-knows'

/** A cache in front as there are some: it keeps pages for as long as the shop allows, and lets go of them by their tags. */
export async function aCachingProxy(way: PurgeSettings['way']): Promise<CachingProxy> {
  const kept = new Map<string, KeptPage>()
  const purges: Purge[] = []
  const asked: CachingProxy['asked'] = []
  let turn = 0
  const server = await localServer((request, response) => {
    const answer = isPurge(request) ? takePurge(request, response) : passOn(request, response)
    answer.catch((error: unknown) => response.writeHead(502).end(String(error)))
  })

  async function passOn({ url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const page = kept.get(url)
    if (page) return void response.writeHead(200, { 'x-cache': 'hit' }).end(page.body)
    turn += 1
    const fresh = await fetch(`${proxy.origins[turn % proxy.origins.length]}${url}`)
    const body = await fresh.text()
    const tags = fresh.headers.get('surrogate-key')?.split(' ')
    if (tags && /s-maxage=[1-9]/.test(fresh.headers.get('cache-control') ?? '')) kept.set(url, { tags, body })
    response.writeHead(fresh.status, { 'x-cache': 'miss' }).end(body)
  }

  async function takePurge(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += chunk
    const { headers, url: path = '' } = request
    const said = String(headers['fastly-key'] ?? headers.authorization).replace('Bearer ', '')
    asked.push({ path, token: said, at: Date.now() })
    if (proxy.mode === 'down') return void response.writeHead(503).end()
    if (proxy.mode === 'elsewhere') return void response.writeHead(307, { location: `${proxy.url}/elsewhere` }).end()
    const tags = tagsOf(headers['surrogate-key'], body)
    for (const [path, page] of kept) if (page.tags.some((tag) => tags.includes(tag))) kept.delete(path)
    purges.push({ tags, at: Date.now() })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true,"status":"ok"}')
  }

  const { url } = server
  const path = {
    fastly: '/service/SU1Z0isxPaozGVKXdv0eY',
    cloudflare: '/client/v4/zones/023e105f4ecef8ad',
    varnish: '',
  }
  const proxy: CachingProxy = {
    url,
    purge: { way, addresses: [url + path[way]], token },
    purges,
    asked,
    mode: 'well',
    origins: [],
    has: (at) => kept.has(at),
    async page(at) {
      const answer = await fetch(url + at)
      return (await answer.text()).replace(/<[^>]*>/g, '')
    },
    [Symbol.asyncDispose]: server.close,
  }
  return proxy
}

const isPurge = ({ method, url }: IncomingMessage) =>
  method === 'PURGE' || (method === 'POST' && /\/(service|zones)\/\w+\/purge(_cache)?$/.test(url ?? ''))

function tagsOf(header: string | string[] | undefined, body: string): readonly string[] {
  if (header) return String(header).split(' ')
  const said: { surrogate_keys?: string[]; tags?: string[] } = JSON.parse(body)
  return said.surrogate_keys ?? said.tags ?? []
}

/** Resolves when a cache has heard nothing for as long as a shop takes to say what it has to. */
export async function quiet({ asked }: CachingProxy, forMs = 2_500): Promise<void> {
  const begun = Date.now()
  while (Date.now() - Math.max(begun, asked.at(-1)?.at ?? 0) < forMs) await sleep(50)
}
