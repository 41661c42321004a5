import { aBareServer, rawAnswer } from './support/bare-server.ts'
import { aBenchShop } from './support/bench-shop.ts'
import { load } from './support/load.ts'
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
  const headers = { 'accept-encoding': 'br, gzip' }
  await rawAnswer(url, headers)
  const answer = await rawAnswer(url, headers)
  await using bare = await aBareServer(answer)
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
    bytes: answer.body.length,
  }
}

if (import.meta.main) {
  await using shop = await aBenchShop()
  const { ratio, cpuRatio, perSecond, bytes } = await cachedPage(`${shop.url}/shop/`, shop.pids.shop, 7, 3)
  report('cached-page', [
    { what: 'cached listing of 24 cards against bare node:http', value: ratio, unit: '×', budget: { atLeast: 0.85 } },
    { what: 'the same by processor time per request', value: cpuRatio, unit: '×', budget: { atLeast: 0.85 } },
    { what: 'requests', value: perSecond, unit: 'a second' },
    { what: 'size, brotli', value: bytes / 1024, unit: 'KB' },
  ])
}
