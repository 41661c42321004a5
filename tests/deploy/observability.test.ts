import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { monitorToken } from '#tests/support/process/monitor.ts'
import { aShop, freePort, type TestShop } from '#tests/support/shop.ts'
import { programPath } from '../rehearsal/front.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'deploy/observability')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

type Rule = { alert: string; expr: string; annotations: Record<string, unknown> }
const rules: Rule[] = parse(read('alerts.yaml')).groups.flatMap((group: { rules: Rule[] }) => group.rules)
type Panel = { title: string; targets?: { expr: string }[] }
const panels: Panel[] = JSON.parse(read('dashboard.json')).panels

describe('the alert rules', () => {
  it('say what they tell, and nothing that was meant as a part of it', () => {
    for (const { alert, annotations } of rules) {
      expect([alert, annotations]).toEqual([alert, { summary: expect.stringMatching(/^[A-Z].{10,}$/) }])
    }
  })

  it('are each in the guide, which says where to look', () => {
    const guide = readFileSync(join(root, 'docs/guides/monitoring.md'), 'utf8')
    const told = [...guide.matchAll(/^\| (Vitrine\w+) \|/gm)].map(([, name]) => name)
    expect(told.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted())
  })
})

/** What a process of tests on a busy machine may come to. */
const ofTheMachine = ['VitrineMemory', 'VitrineLoopStalls', 'VitrineDatabaseSlow', 'VitrineCheckoutSlow']

const program = programPath('prometheus')
const patience = { timeout: 30_000, interval: 100 }

describe.runIf(program)('deploy/observability, read by Prometheus itself', () => {
  let shop: TestShop
  let prometheus: ChildProcess
  let place: string
  let url: string
  beforeAll(async () => {
    shop = await aShop()
    place = await mkdtemp(join(tmpdir(), 'vitrine-prometheus-'))
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    await cp(join(folder, 'alerts.yaml'), join(place, 'alerts.yaml'))
    await writeFile(join(place, 'vitrine-token'), monitorToken, { mode: 0o600 })
    const settings = read('prometheus.yaml')
      .replace('/etc/prometheus/vitrine-token', join(place, 'vitrine-token'))
      .replace(/targets: \[.+\]/, `targets: ['${new URL(shop.url).host}']`)
      .concat('global: { scrape_interval: 1s, evaluation_interval: 1s }\n')
    await writeFile(join(place, 'prometheus.yaml'), settings)
    prometheus = spawn(program ?? '', [
      `--config.file=${join(place, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(place, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ])
    await vi.waitFor(async () => expect((await fetch(`${url}/-/ready`)).status).toBe(200), patience)
  }, 60_000)
  afterAll(async () => {
    if (prometheus?.exitCode === null) {
      const ended = once(prometheus, 'exit')
      if (prometheus.kill()) await ended
    }
    await shop?.close()
    await rm(place, { recursive: true, force: true })
  })

  const ask = async (path: string) => (await fetch(url + path)).json()
  const answers = async (expr: string): Promise<unknown[]> => {
    const told = await ask(`/api/v1/query?query=${encodeURIComponent(expr.replaceAll('$__rate_interval', '1m'))}`)
    if (told.status !== 'success') throw new Error(`${expr}: ${told.error}`)
    return told.data.result
  }

  it('finds the shop where it is told to look', async () => {
    await vi.waitFor(async () => {
      const { data } = await ask('/api/v1/targets')
      expect(data.activeTargets).toMatchObject([{ health: 'up', lastError: '', labels: { job: 'vitrine' } }])
    }, patience)
  })

  it('evaluates every rule, and rings for none of them where all is well', async () => {
    await vi.waitFor(async () => {
      const { data } = await ask('/api/v1/rules')
      const told: { name: string; health: string; state: string }[] = data.groups.flatMap(
        (group: { rules: unknown }) => group.rules,
      )
      expect(told.map(({ name, health }) => ({ name, health }))).toEqual(
        rules.map(({ alert }) => ({ name: alert, health: 'ok' })),
      )
      const begun = told.flatMap(({ name, state }) => (state === 'inactive' ? [] : [name]))
      expect(begun.filter((name) => !ofTheMachine.includes(name))).toEqual([])
    }, patience)
  })

  it('hears of the first error, the first notification and the first checkout that is turned away', async () => {
    const counters = [
      'vitrine_http_request_seconds_count{kind="checkout",status="5xx"}',
      'vitrine_http_requests_cut_total{kind="page"}',
      'vitrine_webhooks_total{outcome="stored"}',
      'vitrine_requests_shed_total{class="checkout"}',
      'vitrine_page_purges_total{outcome="failed"}',
    ]
    // A rate is told by what was there before: nought, or what other tests of this process have counted, but not nothing.
    await vi.waitFor(async () => {
      const told = await Promise.all(counters.map(async (name) => ((await answers(name)).length === 1 ? [] : [name])))
      expect(told.flat()).toEqual([])
    }, patience)
  })

  it('can draw every panel of the dashboard', async () => {
    const drawn = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))
    expect(drawn.length).toBeGreaterThan(15)
    for (const path of ['/shop/', '/shop/', '/healthz', '/wp-json/nothing/', '/checkout/']) await fetch(shop.url + path)
    const empty = () =>
      Promise.all(drawn.map(async ({ title, expr }) => ((await answers(expr)).length > 0 ? '' : title)))
    // Their lines are named by what happens, and of that nothing need have happened in this process.
    const rare = ['', 'Calls to the provider, quarter of an hour', 'Scripts kept out of pages']
    await vi.waitFor(async () => expect((await empty()).filter((title) => !rare.includes(title))).toEqual([]), patience)
  })
})
