import { inOwnProcess } from './own-process.ts'

export type Load = {
  readonly url: string
  readonly seconds: number
  readonly connections?: number
  /** Requests under way on each connection. More than one makes the server and not the generator the limit. */
  readonly pipelining?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Gives every request to a listing an address of its own, by a price that leaves nothing out: nobody has the answer ready. */
  readonly freshAddresses?: boolean
  /** Posted as a form. */
  readonly form?: string
}

/** What Chromium and Firefox take; the shop's answer to whoever comes first is zstd then, and Brotli once a page is kept. */
export const browserEncodings = 'gzip, deflate, br, zstd'

export type LoadResult = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number }

/** Loads an address from a second process. @throws when an answer was no 200, or none came */
export async function load(wanted: Load): Promise<LoadResult> {
  return inOwnProcess(import.meta.filename, wanted)
}

async function run(wanted: Load): Promise<LoadResult> {
  const { default: autocannon } = await import('autocannon')
  const { url, seconds, connections = 8, pipelining = 1, headers = {}, freshAddresses, form } = wanted
  const posted = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
  const path = new URL(url).pathname + new URL(url).search
  let nr = 0
  const result = await autocannon({
    url,
    connections,
    pipelining,
    duration: seconds,
    headers: { ...headers, ...posted },
    ...(form === undefined ? {} : { method: 'POST' as const, body: form }),
    ...(freshAddresses && {
      requests: [
        {
          setupRequest: (request) => ({
            ...request,
            path: `${path}?max_price=${(process.pid % 900) * 1_000_000 + 1_000_000 + nr++}`,
          }),
        },
      ],
    }),
  })
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0) {
    throw new Error(`${url}: ${result['2xx']} answers, ${result.non2xx} refused, ${result.errors} lost`)
  }
  return { perSecond: result['2xx'] / result.duration, p50Ms: result.latency.p50, p99Ms: result.latency.p99 }
}

if (import.meta.main) console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? ''))))
