import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#server/payments/demo-emulator.ts'
import serverProcess from '../../scripts/server-process.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')

export type DemoShop = AsyncDisposable & {
  /** Without a slash at the end. */
  readonly url: string
}

/**
 * The shop that `npm start` opens: built, with the demo's products and pictures, its own PostgreSQL and the payment emulator.
 * Its pictures take a minute; VITRINE_BENCH_DATA names a folder where they are kept for the next time, and
 * VITRINE_BENCH_URL a shop that is open already.
 */
export async function aDemoShop(): Promise<DemoShop> {
  const open = process.env.VITRINE_BENCH_URL
  if (open) return { url: open.replace(/\/$/, ''), async [Symbol.asyncDispose]() {} }
  const kept = process.env.VITRINE_BENCH_DATA
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'vitrine-demo-')))
  const child = spawn(process.execPath, [...serverProcess.flags, 'dist/server/main.js'], {
    cwd: root,
    env: {
      ...serverProcess.env,
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      VITRINE_DEMO: '1',
      DATA_DIR: folder,
      SHARE_PICTURES: 'off',
      PORT: String(await freePort(4400)),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await openAddress(child)
  return {
    url,
    async [Symbol.asyncDispose]() {
      const exit = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exit
      if (!kept) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function openAddress(child: ChildProcess): Promise<string> {
  let printed = ''
  return new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const address = /The shop is open at ([^\s"]+)/.exec(printed)?.[1]
      if (address) resolve(address)
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => reject(new Error(`the shop ended with ${code ?? signal}: ${printed}`)))
  })
}

/** The cookies of a visitor with two products in the cart, as a browser would send them. */
export async function filledCart(url: string): Promise<readonly { name: string; value: string }[]> {
  const listing = await (await fetch(`${url}/shop/`)).text()
  const ids = [...listing.matchAll(/ajax_add_to_cart[^>]*data-product_id="(\d+)"/g)].map((match) => match[1])
  const cookies = new Map<string, string>()
  for (const id of ids.slice(0, 2)) {
    const added = await fetch(`${url}/?wc-ajax=add_to_cart`, {
      method: 'POST',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: new URLSearchParams({ product_id: String(id), quantity: '1' }),
    })
    await added.text()
    for (const cookie of added.headers.getSetCookie()) {
      const pair = cookie.split(';')[0] ?? ''
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
  }
  if (ids.length === 0 || cookies.size === 0) throw new Error(`no product of ${url}/shop/ could be put into a cart`)
  return [...cookies].map(([name, value]) => ({ name, value }))
}
