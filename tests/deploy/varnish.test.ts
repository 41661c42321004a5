import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadCommand } from '#cli/commands.ts'
import { writeSettings } from '#database/operations/configuration.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { aShop, freePort, type TestShop } from '#tests/support/shop.ts'
import { programPath } from '../rehearsal/front.ts'

const program = programPath('varnishd')
const hasModule = [
  '/usr/lib/varnish/vmods',
  '/usr/lib/x86_64-linux-gnu/varnish/vmods',
  '/usr/lib64/varnish/vmods',
].some((folder) => existsSync(join(folder, 'libvmod_xkey.so')))
const patience = { timeout: 20_000, interval: 20 }

/** Varnish as it is delivered, before a shop at that port. */
async function aVarnish(shopPort: string | number, port: number) {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-varnish-'))
  // Varnish reads it as a user of its own.
  await chmod(folder, 0o755)
  const delivered = readFileSync(join(import.meta.dirname, '../../deploy/varnish/shop.vcl'), 'utf8')
  const file = join(folder, 'shop.vcl')
  await writeFile(file, delivered.replace('.port = "3000"', `.port = "${shopPort}"`))
  const process: ChildProcess = spawn(program ?? '', [
    ...['-F', '-n', folder, '-f', file, '-a', `127.0.0.1:${port}`, '-s', 'malloc,32m'],
  ])
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200), patience)
  return {
    async [Symbol.asyncDispose]() {
      if (process.exitCode === null) {
        const ended = new Promise((resolve) => process.once('exit', resolve))
        if (process.kill()) await ended
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

describe.runIf(program && hasModule)('deploy/varnish, read by Varnish itself', () => {
  let shop: TestShop
  let varnish: AsyncDisposable
  let front: string
  beforeAll(async () => {
    const port = await freePort()
    front = `http://127.0.0.1:${port}`
    shop = await aShop({
      wallet: false,
      cdnSeconds: 300,
      purge: { way: 'varnish', addresses: [front], token: null },
      settings: { statistics: { enabled: false } },
    })
    varnish = await aVarnish(new URL(shop.url).port, port)
  }, 60_000)
  afterAll(async () => {
    await varnish?.[Symbol.asyncDispose]()
    await shop?.close()
  })

  const page = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(front + path, init)
    // Two numbers: of this request, and of the one that brought the page.
    const kept = (answer.headers.get('x-varnish') ?? '').includes(' ')
    return { kept, headers: answer.headers, status: answer.status, text: await answer.text() }
  }
  const keptOf = async (path: string) => {
    await page(path)
    return (await page(path)).kept
  }
  /** What was changed before is told by then. */
  const wellKept = (paths: readonly string[]) =>
    vi.waitFor(async () => {
      for (const path of paths) expect({ path, kept: await keptOf(path) }).toEqual({ path, kept: true })
      await new Promise((resolve) => setTimeout(resolve, 2_500))
      for (const path of paths) expect({ path, kept: (await page(path)).kept }).toEqual({ path, kept: true })
    }, patience)

  it('T29 keeps pages that belong to nobody, and no others', async () => {
    await wellKept(['/', '/shop/', '/product/plain-mug/'])
    for (const path of ['/cart/', '/my-account/', '/?wc-ajax=get_refreshed_fragments'])
      expect({ path, kept: await keptOf(path) }).toEqual({ path, kept: false })
    const noticed = await page('/shop/', { headers: { cookie: 'vitrine_notices=1' } })
    expect([noticed.kept, noticed.headers.getSetCookie().length]).toEqual([false, 1])
    const { headers } = await page('/shop/')
    expect(['surrogate-key', 'cache-tag', 'xkey'].filter((name) => headers.has(name))).toEqual([])
  })

  it('P5 lets go of what has changed, and of nothing else', async () => {
    const [mug, shirt] = ['/product/plain-mug/', '/product/linen-shirt/']
    await wellKept([mug, shirt])
    const products = await loadCommand('products')
    if (!products) throw new Error('there is no command for products')
    const { instance } = shop.shop.application.tools
    const args = ['edit', 'MUG', '--price', '97.53', '--sale-price', '']
    expect((await runCommandWith({ instance }, products, shop.db, ...args)).code).toBe(0)
    const changed = performance.now()
    await vi.waitFor(async () => expect((await page(mug)).text).toContain('97.53'), patience)
    console.info(`a price through Varnish: ${Math.round(performance.now() - changed)} ms`)
    expect((await page(shirt)).kept).toBe(true)
    expect((await page(mug)).kept).toBe(true)
  })

  it('P5 lets go of everything after a change of a setting', async () => {
    const paths = ['/', '/shop/', '/product/linen-shirt/']
    await wellKept(paths)
    await writeSettings(shop.db, { storeNotice: { enabled: true, text: 'Closed on Monday.' } })
    for (const path of paths)
      await vi.waitFor(async () => expect((await page(path)).text).toContain('Closed on Monday.'), patience)
  })

  it('refuses a purge that names no pages', async () => {
    expect((await page('/', { method: 'PURGE' })).status).toBe(400)
  })

  it('P5 P10 goes on telling what it keeps while the shop answers with errors, and asks again', async () => {
    let said = { status: 200, cache: 'public, max-age=1', text: 'first' }
    const trouble = createServer(({ url }, response) => {
      const { status, cache, text } = url === '/readyz' ? { status: 200, cache: 'no-store', text: '' } : said
      response.writeHead(status, { 'Cache-Control': cache }).end(text)
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => trouble.once('listening', resolve))
    const port = await freePort()
    const read = async () => (await fetch(`http://127.0.0.1:${port}/page`)).text()
    const later = () => new Promise((resolve) => setTimeout(resolve, 400))
    {
      await using _ = await aVarnish((trouble.address() as AddressInfo).port, port)
      expect(await read()).toBe('first')
      said = { status: 503, cache: 'no-store', text: 'trouble' }
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      for (let times = 0; times < 3; times += 1, await later()) expect(await read()).toBe('first')
      said = { status: 200, cache: 'public, max-age=1', text: 'second' }
      await vi.waitFor(async () => expect(await read()).toBe('second'), patience)
    }
    trouble.closeAllConnections()
    trouble.close()
  })
})
