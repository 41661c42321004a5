import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'vite'
import { aBenchShop } from './support/bench-shop.ts'
import { browserEncodings, load } from './support/load.ts'
import { median, report } from './support/report.ts'

/**
 * What does a listing cost that nobody has asked for before? Every request has an address of its own, so the shop reads
 * the facts of 24 products from PostgreSQL, renders, compresses and sends. Held against a plain `node:http` server that
 * renders the same component tree from facts in memory and sends it uncompressed.
 */
const root = join(import.meta.dirname, '..')
const rounds = 5
const seconds = 3

await using shop = await aBenchShop()
const { child, url } = await renderServer(shop.databaseUrl)
try {
  const listing = (encoding: string) =>
    load({ url: `${shop.url}/shop/`, seconds, headers: { 'accept-encoding': encoding }, freshAddresses: true })
  const bare = () => load({ url, seconds })
  await listing('gzip')
  await bare()
  const answers: Record<'compressed' | 'plain' | 'bare', Awaited<ReturnType<typeof load>>>[] = []
  for (let round = 0; round < rounds; round += 1) {
    answers.push({ compressed: await listing(browserEncodings), plain: await listing('identity'), bare: await bare() })
  }
  const of = (pick: (answer: (typeof answers)[number]) => number) => median(answers.map(pick))
  report('uncached-listing', [
    {
      what: 'listing, cache off, compressed, against its bare component tree',
      value: of(({ compressed, bare }) => compressed.perSecond / bare.perSecond),
      unit: '×',
      budget: { atLeast: 0.6 },
    },
    {
      what: 'the same without compression',
      value: of(({ plain, bare }) => plain.perSecond / bare.perSecond),
      unit: '×',
      budget: { atLeast: 0.6 },
    },
    { what: 'pages compressed', value: of(({ compressed }) => compressed.perSecond), unit: 'a second' },
    { what: 'bare component tree', value: of(({ bare }) => bare.perSecond), unit: 'a second' },
    { what: 'p50 at 8 connections', value: of(({ compressed }) => compressed.p50Ms), unit: 'ms' },
  ])
} finally {
  child.kill('SIGKILL')
}

async function renderServer(databaseUrl: string): Promise<{ child: ChildProcess; url: string }> {
  const outDir = join(root, 'dist/bench')
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: true,
      outDir,
      target: 'node24',
      rolldownOptions: { input: join(import.meta.dirname, 'support/render-server.tsx') },
    },
  })
  const child = spawn(process.execPath, [join(outDir, 'render-server.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: databaseUrl },
  })
  const port = await new Promise<string>((resolve) => child.stdout.once('data', (chunk: Buffer) => resolve(`${chunk}`)))
  return { child, url: `http://127.0.0.1:${port.trim()}/` }
}
