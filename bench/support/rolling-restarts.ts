import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import serverProcess from '../../scripts/server-process.json' with { type: 'json' }
import { aBalancer, type Balancer } from './balancer.ts'
import { leanClient } from './lean-client.ts'
import { ModelledShopper, shelfOf } from './modelled-shopper.ts'

const root = join(import.meta.dirname, '../..')

export type RestartsReport = {
  readonly requests: number
  readonly orders: number
  readonly restarts: number
  /** From the signal to the end of the process, the longest. */
  readonly longestStopMs: number
  /** Everything that went wrong for anybody. */
  readonly failed: readonly string[]
}

/**
 * Two processes of the built shop behind a balancer, restarted in turns while visitors buy: half of them over connections that
 * they keep, half with a new one for each request.
 * @param ports two that are free
 * @param env a database that is filled, and where its files are
 */
export async function rollingRestarts(
  restarts: number,
  {
    ports,
    env,
    visitors = 6,
    next = root,
    front = aBalancer,
  }: {
    ports: readonly [number, number]
    env: Readonly<Record<string, string>>
    visitors?: number
    /** The folder of another version, which every restart begins. */
    next?: string
    /** What shares requests out to the two processes. */
    front?: (ports: readonly number[]) => Promise<Balancer>
  },
): Promise<RestartsReport> {
  await using balancer = await front(ports)
  const children: ChildProcess[] = []
  const start = async (index: number, folder = root) => {
    const child = spawn(process.execPath, [...serverProcess.flags, 'dist/server/main.js'], {
      cwd: folder,
      env: {
        ...serverProcess.env,
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(ports[index]),
        PUBLIC_BASE_URL: balancer.url,
        TRUSTED_PROXIES: '1',
        SHARE_PICTURES: 'off',
        NODE_COMPILE_CACHE: join(root, 'dist/.compiled'),
        ...env,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    children[index] = child
    const until = performance.now() + 60_000
    while (!(await isReady(Number(ports[index])))) {
      if (child.exitCode !== null || performance.now() > until) throw new Error('the shop did not start')
      await sleep(50)
    }
  }
  /** @param signal SIGTERM waits for visitors, SIGINT does not */
  const stop = async (index: number, signal: 'SIGTERM' | 'SIGINT'): Promise<number> => {
    const child = children[index]
    const began = performance.now()
    if (child && child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit')
      child.kill(signal)
      await exit
    }
    return performance.now() - began
  }

  const failed: string[] = []
  let requests = 0
  let orders = 0
  let longestStopMs = 0
  let open = true
  try {
    await Promise.all([start(0), start(1)])
    const shop = { url: balancer.url }
    const kept = leanClient(true, balancer.ca)
    const shelf = await shelfOf(shop, kept)
    const told = () => {
      requests += 1
    }
    const visitor = async (nr: number) => {
      const client = nr % 2 === 0 ? kept : leanClient(false, balancer.ca)
      for (let turn = nr; open; turn += 1) {
        const shopper = new ModelledShopper(shop, client, told)
        try {
          await shopper.look('home', '/')
          await shopper.look('listing', `/shop/?min_price=${turn}`)
          await shopper.look('product', shelf.products[turn % shelf.products.length] ?? '/')
          await shopper.add(shelf.ids[turn % shelf.ids.length] ?? '')
          await shopper.openCheckout()
          await shopper.look('confirmation', await shopper.order())
          orders += 1
        } catch (error) {
          failed.push(error instanceof Error ? error.message : String(error))
          await sleep(100)
        }
      }
    }
    const crowd = Array.from({ length: visitors }, (_, nr) => visitor(nr))
    try {
      for (let nr = 0; nr < restarts; nr += 1) {
        const seen = orders
        longestStopMs = Math.max(longestStopMs, await stop(nr % 2, 'SIGTERM'))
        await start(nr % 2, next)
        // Each restart meets visitors: somebody has bought since it began.
        for (let waited = 0; orders === seen && waited < 600; waited += 1) await sleep(50)
      }
    } finally {
      open = false
      await Promise.all(crowd)
      kept.close()
    }
  } finally {
    await Promise.all([stop(0, 'SIGINT'), stop(1, 'SIGINT')])
  }
  return { requests, orders, restarts, longestStopMs, failed: [...balancer.lost, ...failed].slice(0, 20) }
}

/** Over a connection of its own: a kept one would hold up the process when it is to stop. */
async function isReady(port: number): Promise<boolean> {
  const answer = await asking.ask(new URL(`http://127.0.0.1:${port}/readyz`)).catch(() => null)
  return answer?.status === 200
}

const asking = leanClient(false)
