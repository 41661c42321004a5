import { aBareServer, type RawAnswer, rawAnswer } from './support/bare-server.ts'
import { aBenchShop } from './support/bench-shop.ts'
import { browserEncodings, load } from './support/load.ts'
import { aNginxServer } from './support/nginx-server.ts'
import { cpuSeconds } from './support/processes.ts'
import { median, report } from './support/report.ts'

export type CachedPageAnswer = {
  /** Shop to bare server: requests per second. */
  readonly ratio: number
  /** Bare server to shop: processor time per request. Does not care what else runs on the machine. */
  readonly cpuRatio: number
  readonly perSecond: number
  readonly bytes: number
}

/** How near does a finished page come to what `node:http` can do with the same headers and bytes? */
export async function cachedPage(url: string, pid: number, rounds: number, seconds: number): Promise<CachedPageAnswer> {
  const answer = await finished(url)
  await using bare = await aBareServer(answer)
  return { ...(await inTurns({ url, pid }, bare, rounds, seconds)), bytes: answer.body.length }
}

/** And to what nginx can do with them from a file? Null where there is none. */
export async function cachedPageByNginx(url: string, pid: number, rounds: number, seconds: number) {
  await using nginx = await aNginxServer(await finished(url))
  return nginx && (await inTurns({ url, pid }, nginx, rounds, seconds))
}

const headers = { 'accept-encoding': browserEncodings }

/** The page as it is answered once it is kept, which is made as small as it gets behind the back of who asks again. */
async function finished(url: string): Promise<RawAnswer> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await rawAnswer(url, headers)
    if (answer.headers['Content-Encoding'] === 'br') return answer
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} was not made small`)
}

type Server = { readonly url: string; readonly pid: number }

async function inTurns({ url, pid }: Server, bare: Server, rounds: number, seconds: number) {
  const measure = async (address: string, server: number) => {
    const before = cpuSeconds(server)
    const { perSecond } = await load({ url: address, seconds, connections: 8, pipelining: 4, headers })
    return { perSecond, cpu: (cpuSeconds(server) - before) / (perSecond * seconds) }
  }
  await measure(url, pid)
  await measure(bare.url, bare.pid)
  const pairs: { shop: Awaited<ReturnType<typeof measure>>; bare: Awaited<ReturnType<typeof measure>> }[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Whoever comes second meets a warmer machine, so they take turns.
    const first = round % 2 === 0
    const early = first ? await measure(url, pid) : await measure(bare.url, bare.pid)
    const late = first ? await measure(bare.url, bare.pid) : await measure(url, pid)
    pairs.push(first ? { shop: early, bare: late } : { shop: late, bare: early })
  }
  return {
    ratio: median(pairs.map(({ shop, bare }) => shop.perSecond / bare.perSecond)),
    cpuRatio: median(pairs.map(({ shop, bare }) => bare.cpu / shop.cpu)),
    perSecond: median(pairs.map(({ shop }) => shop.perSecond)),
  }
}

if (import.meta.main) {
  await using shop = await aBenchShop()
  const { ratio, cpuRatio, perSecond, bytes } = await cachedPage(`${shop.url}/shop/`, shop.pids.shop, 7, 3)
  const nginx = await cachedPageByNginx(`${shop.url}/shop/`, shop.pids.shop, 7, 3)
  if (!nginx) console.log('There is no nginx here, so the shop was not held against it.')
  report('cached-page', [
    { what: 'cached listing of 24 cards against bare node:http', value: ratio, unit: '×', budget: { atLeast: 0.85 } },
    { what: 'the same by processor time per request', value: cpuRatio, unit: '×' },
    { what: 'requests', value: perSecond, unit: 'a second' },
    ...(nginx
      ? [
          { what: 'against nginx with the same bytes in a file', value: nginx.ratio, unit: '×' },
          { what: 'the same by processor time per request', value: nginx.cpuRatio, unit: '×' },
        ]
      : []),
    { what: 'size, brotli', value: bytes / 1024, unit: 'KB' },
  ])
}
