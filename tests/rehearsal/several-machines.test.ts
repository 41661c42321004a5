import { type ChildProcess, spawn } from 'node:child_process'
import { once as event } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { connect, type Database } from '#database/engine/connect.ts'
import { migrate } from '#database/engine/migrate.ts'
import { prepareJobQueue } from '#database/operations/job-queue.ts'
import { invariants, until } from '#tests/support/payments/bookkeeping.ts'
import type { TestWorld } from '#tests/support/process/process.ts'
import { callEmulator, emulatorEnvironment, emulatorSettings, freePort, stock } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'
import { nightly } from '#tests/support/size.ts'
import { startEmulator } from '../../emulator/start-emulator.ts'
import { nginxFolder, programPath, startNginx, startPgBouncer } from './front.ts'
import { aPostgresPair } from './postgres-pair.ts'

const missing = (['nginx', 'pgbouncer', 'openssl'] as const).filter((name) => programPath(name) === null)
if (missing.length > 0) console.info(`the rehearsal is left out: install ${missing.join(', ')}`)
const possible = (nightly || process.env.REHEARSAL === '1') && missing.length === 0

/** How long everything runs undisturbed between two mishaps. */
const calmMs = Number(process.env.CALM_MS ?? 8_000)
const buyers = 4
const webhookId = '1JE4291016473214C'
const main = join(import.meta.dirname, '../../dist/server/main.js')

type Outcome = {
  readonly at: number
  readonly tookMs: number
  readonly orderId: number | null
  readonly fault: string
  readonly byWallet: boolean
}

/** What is told of it in the guide, with room for a machine that is busy. */
const longestPauseMs = [5_000, 15_000, 15_000]

describe.runIf(possible)('three processes, two databases, one pooler and one proxy', () => {
  const undo: (() => PromiseLike<unknown>)[] = []
  const outcomes: Outcome[] = []
  let world: TestWorld
  let db: Database
  let shops: ReturnType<typeof processes>
  let pair: Awaited<ReturnType<typeof aPostgresPair>>
  let pooler: Awaited<ReturnType<typeof startPgBouncer>>
  let mug: number

  beforeAll(async () => {
    // The proxy's certificate is the test's own.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-rehearsal-'))
    await chmod(folder, 0o755)
    undo.push(() => rm(folder, { recursive: true, force: true }))
    const dataDir = join(folder, 'data')
    pair = await aPostgresPair(join(folder, 'postgres'), async (url) => {
      const empty = connect(url, { max: 2 })
      await migrate(empty)
      await prepareJobQueue(empty, url)
      await empty.close()
      await stock(url, dataDir)
      const filled = connect(url, { max: 1 })
      await filled.sql`update products set stock_quantity = stock_quantity + 100000 where manage_stock = 'yes'`
      await filled.sql`insert into stock_movements (product_id, change, kind)
        select id, 100000, 'counted' from products where manage_stock = 'yes'`
      await filled.close()
    })
    undo.push(() => pair[Symbol.asyncDispose]())

    const port = await freePort()
    pooler = await startPgBouncer(folder, { ...pair, port, server: pair.primary.port })
    undo.push(pooler.stop)
    const https = await freePort()
    const url = `https://127.0.0.1:${https}`
    const emulator = await startEmulator({ webhookUrl: url + urls.paypalWebhook(), webhookId })
    undo.push(() => emulator.close())
    const paypal = emulatorSettings(emulator.url)
    const address = (name: string) => `postgres://vitrine:${pair.password}@127.0.0.1:${port}/${name}`
    db = connect(address('shop_session'), { max: 4, name: 'rehearsal' })
    undo.push(() => db.close())

    shops = processes([await freePort(), await freePort(), await freePort()], {
      PUBLIC_BASE_URL: url,
      TRUSTED_PROXIES: '1',
      DATABASE_URL: address('shop'),
      DATABASE_DIRECT_URL: address('shop_session'),
      DATA_DIR: dataDir,
      SHARE_PICTURES: 'off',
      ...emulatorEnvironment(paypal),
      VITRINE_SECRET: 'a secret for tests that is long enough',
    })
    undo.push(shops.stop)
    await Promise.all(shops.ports.map((_, index) => shops.start(index)))
    const file = await nginxFolder(folder, { http: await freePort(), https, shops: shops.ports })
    undo.push((await startNginx(file)).stop)
    const row = await db.kysely.selectFrom('products').select('id').where('sku', '=', 'MUG').executeTakeFirstOrThrow()
    mug = row.id
    world = {
      url,
      db,
      dataDir,
      paypal,
      idOf: async () => mug,
      emulate: (path, body) => callEmulator(emulator.url, path, body),
    }
  }, 180_000)
  afterAll(async () => {
    for (const step of undo.reverse()) await Promise.resolve(step()).catch((error: unknown) => console.warn(error))
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  })

  /** Once more for what the pooler said last to a connection of ours. */
  const read = <Rows>(rows: () => Promise<Rows>) =>
    until('what is asked of the database', () => rows().catch(() => null), 30_000)

  it('P2 P10 F35 M4 loses no acknowledged order when a process, the primary and then the primary for good go away', {
    timeout: 600_000,
  }, async () => {
    let buying = true
    const crowd = Array.from({ length: buyers }, async (_, buyer) => {
      for (let turn = 0; buying; turn += 1) outcomes.push(await buys(`buyer-${buyer}-${turn}`, turn % 2 === 0))
    })
    // All of them come from one address here, and as often as no visitor does.
    const forgetting = (async () => {
      for (; buying; await sleep(500)) await db.sql`delete from rate_limits`.catch(() => undefined)
    })()

    await sleep(calmMs)
    const events: [string, number][] = []
    const mishap = async (name: string, happens: () => Promise<unknown>) => {
      const at = performance.now()
      events.push([name, at])
      await happens()
      await until(
        `an order of each kind after ${name}`,
        async () =>
          [true, false].every((byWallet) =>
            outcomes.some((each) => each.orderId && each.byWallet === byWallet && each.at - each.tookMs > at),
          ),
        60_000,
      )
      await sleep(calmMs)
    }
    await mishap('one of three processes was killed', () => shops.kill(0))
    await shops.start(0)
    await mishap('the primary was killed and started again', async () => {
      await pair.primary.kill()
      await pair.primary.start()
    })
    await mishap('the primary was killed and the replica promoted', async () => {
      await pair.primary.kill()
      await pair.promote()
      await pooler.pointTo(pair.replica.port)
    })
    buying = false
    await Promise.all([...crowd, forgetting])

    const acknowledged = outcomes.flatMap(({ orderId }) => orderId ?? [])
    console.info(`${acknowledged.length} orders acknowledged, ${outcomes.length - acknowledged.length} tries failed`)
    for (const [index, [name, at]] of events.entries()) {
      const end = events[index + 1]?.[1] ?? Number.POSITIVE_INFINITY
      const { told, pauseMs } = windowAfter(at, end)
      console.info(`${name}: ${told}`)
      expect.soft(pauseMs, `${name}: the longest pause`).toBeLessThan(longestPauseMs[index] ?? 0)
    }
    expect(acknowledged.length).toBeGreaterThan(20)
    expect(new Set(acknowledged).size).toBe(acknowledged.length)
    const kept = await read(() =>
      db.kysely.selectFrom('orders').select(['id', 'status']).where('id', 'in', acknowledged).execute(),
    )
    expect(kept.length, 'acknowledged orders that are there').toBe(acknowledged.length)
    expect(kept.filter(({ status }) => status !== 'processing')).toEqual([])
    // What a fault has left open is found out by reading, and orders that nobody finished are held for half an hour.
    await until('no attempt is open', async () => (await openAttempts().catch(() => -1)) === 0, 180_000).catch(
      async (error: Error) => {
        throw new Error(`${error.message}: ${JSON.stringify(await leftOpen())}`)
      },
    )
    expect(await read(() => invariants(world))).toEqual([])
  })

  /**
   * Those that may have moved money, or belong to what is over. A wallet order that was being opened moves none until it is
   * approved: it waits for the shopper's next press, as long as the order does.
   */
  async function openAttempts(): Promise<number> {
    const [row] = await db.sql<{ open: number }[]>`
      select count(*)::int as open from payment_attempts a join orders o on o.id = a.order_id
      where a.state in ('open', 'unknown') and not (a.step = 'create' and o.status = 'pending')`
    return row?.open ?? -1
  }

  /** What would tell why nobody has found out: the attempts, who holds them, and the jobs. */
  async function leftOpen(): Promise<unknown> {
    return {
      now: new Date(),
      attempts: await db.sql`
        select a.*, o.status, o.payment_state from payment_attempts a join orders o on o.id = a.order_id
        where a.state in ('open', 'unknown')`,
      jobs: await db.sql`select * from graphile_worker.jobs`,
      locks: await db.sql`select pid, objid, granted from pg_locks where locktype = 'advisory'`,
    }
  }

  /** One purchase by somebody new: by cash on delivery, or by the wallet. */
  async function buys(name: string, byWallet: boolean): Promise<Outcome> {
    const began = performance.now()
    const done = (orderId: number | null, fault = ''): Outcome => {
      const at = performance.now()
      return { at, tookMs: at - began, orderId, fault, byWallet }
    }
    try {
      const shopper = new Shopper({ ...world, fetch: patient }, name)
      if (byWallet) {
        const { orderId, walletOrderId } = await shopper.startToPay()
        await shopper.approve(walletOrderId)
        const place = await shopper.returnFromWallet(walletOrderId)
        return place.includes(`order-received/${orderId}`) ? done(orderId) : done(null, `led to ${place}`)
      }
      await shopper.add('MUG')
      await shopper.openCheckout()
      const answer = await shopper.placeOrder('cod')
      return answer.result === 'success' ? done(answer.order_id ?? null) : done(null, answer.messages ?? 'no word')
    } catch (error) {
      await sleep(50)
      return done(null, String(error).slice(0, 300))
    }
  }

  function windowAfter(at: number, end: number): { readonly told: string; readonly pauseMs: number } {
    const failed = outcomes.filter((each) => each.fault && each.at > at && each.at - each.tookMs < end && each.at < end)
    const last = Math.max(at, ...failed.map((each) => each.at))
    const good = outcomes
      .filter(({ orderId }) => orderId)
      .map((each) => each.at)
      .filter((each) => each > at && each < end)
    const times = [at, ...good.toSorted((a, b) => a - b)]
    const pause = Math.max(...times.slice(1).map((each, index) => each - (times[index] ?? each)))
    const seconds = (ms: number) => (ms / 1000).toFixed(1)
    const kinds = [...new Set(failed.map(({ fault }) => fault.replace(/<[^>]+>/g, ' ').slice(0, 90)))].slice(0, 4)
    const told = `${failed.length} tries failed, the last ${seconds(last - at)} s after it; the longest pause between two orders was ${seconds(pause)} s ${kinds.join(' | ')}`
    return { told, pauseMs: pause }
  }
})

/** What hangs for longer is a failure of the one who serves. */
const patient: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(20_000) })

function processes(ports: readonly number[], environment: Readonly<Record<string, string>>) {
  const children: (ChildProcess | null)[] = ports.map(() => null)
  const kill = async (index: number) => {
    const child = children[index]
    children[index] = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = event(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  return {
    ports,
    kill,
    async start(index: number) {
      const port = ports[index] ?? 0
      const child = spawn(process.execPath, [main], {
        env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), ...environment },
        stdio: ['ignore', process.env.SHOP_LOG ? 'inherit' : 'ignore', 'inherit'],
      })
      children[index] = child
      const healthy = () =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        )
      await until(
        `process ${index}`,
        async () => {
          if (child.exitCode !== null) throw new Error(`process ${index} ended with ${child.exitCode}`)
          return healthy()
        },
        60_000,
      )
    },
    stop: () => Promise.all(ports.map((_, index) => kill(index))),
  }
}
