import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { closingSeconds } from '#database/engine/connect.ts'
import { lastNotesMs } from '#database/operations/job-queue.ts'
import { calls, restPath } from '#server/calls/shared/call-routes.ts'
import { connectionLimits } from '#server/http/connection-limits.ts'
import { lastMomentMs } from '#server/jobs/mail/mailer.ts'
import { farewellMs } from '#server/operations/metrics/otlp-exporter.ts'
import { restlessMs, usualIdleMs, usualNoticeMs, utmostMs } from '#server/operations/startup/graceful-stop.ts'
import { secretSettings } from '#shop/operations/settings/secret-files.ts'
import { freePort } from '#tests/support/shop.ts'
import { nginxFolder, programPath, startNginx } from '../rehearsal/front.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const withoutComments = (text: string) => text.replace(/^\s*[#;].*$/gm, '')
const deployed = (file: string) => withoutComments(read(`deploy/${file}`))

const unit = deployed('systemd/vitrine@.service')
const image = deployed('container/Containerfile')
const compose = deployed('container/compose.yaml')
const cluster = deployed('kubernetes/shop.yaml')
const migration = deployed('kubernetes/migrate.yaml')
const nginx = deployed('nginx/nginx.conf')
const pooler = deployed('pgbouncer/pgbouncer.ini')

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
const only = (text: string, pattern: RegExp) => {
  const [found, ...others] = all(text, pattern)
  expect([pattern, found !== undefined, others]).toEqual([pattern, true, []])
  return found ?? ''
}

describe('the files of deployment', () => {
  it('name no setting that the shop does not read', () => {
    const [, schema = ''] =
      /const variables = z\.object\(\{(.*?)\n\}\)/s.exec(read('src/server/operations/configuration/config.ts')) ?? []
    const ofProcess = Object.keys(JSON.parse(read('scripts/server-process.json')).env)
    const files = secretSettings.map((name) => `${name}_FILE`)
    const known = new Set([...all(schema, /^ {2}([A-Z_]+):/gm), ...files, ...ofProcess])
    const set = {
      unit: all(all(unit, /^Environment=(.+)$/gm).join(' '), /([A-Z_]+)=/g),
      image: all(only(image, /^ENV ((?:.+\\\n)*.+)$/gm), /([A-Z_]+)=/g),
      compose: all(compose, /^ +([A-Z][A-Z_]+): /gm).filter((name) => !name.startsWith('POSTGRES_')),
      cluster: all(cluster, /^ +([A-Z][A-Z_]+): /gm),
      secrets: all(read('deploy/kubernetes/shop.yaml'), /--from-literal=([A-Z_]+)=/g),
    }
    for (const [file, names] of Object.entries(set)) {
      expect([file, names.length > 1, names.filter((name) => !known.has(name))]).toEqual([file, true, []])
    }
  })

  it('and the guide to them name each secret that may stand in a file', () => {
    const guide = read('docs/guides/running-in-production.md')
    expect(secretSettings.filter((name) => !guide.includes(`\`${name}_FILE\``))).toEqual([])
  })

  it('start the shop as npm does, at the port that is asked for by those in front', () => {
    const { flags: given, env } = JSON.parse(read('scripts/server-process.json'))
    const flags = given.join(' ')
    for (const [name, value] of Object.entries(env)) {
      expect([unit, image].filter((file) => file.includes(`${name}=${value}`))).toHaveLength(2)
    }
    expect(read('scripts/start.mjs')).toContain("'dist/server/main.js'")
    const folder = only(unit, /^WorkingDirectory=(.+)$/gm)
    expect(only(unit, /^ExecStart=(.+)$/gm)).toBe(`${folder}/node_modules/.bin/node ${flags} dist/server/main.js`)
    const started = JSON.parse(only(image, /^ENTRYPOINT (.+)$/gm)).concat(JSON.parse(only(image, /^CMD (.+)$/gm)))
    expect(started.join(' ')).toBe(`node ${flags} dist/server/main.js`)
    expect(only(migration, /args: \[([^,]+),/g)).toBe('src/cli/main.ts')
    const port = only(image, / PORT=(\d+)/g)
    const elsewhere = [
      ...all(image, /^EXPOSE (\d+)/gm),
      ...all(cluster, /containerPort: (\d+)/g),
      ...all(deployed('container/upstream.conf'), /^server [\w-]+:(\d+) /gm),
    ]
    expect(elsewhere).toEqual(elsewhere.map(() => port))
    expect(elsewhere).toHaveLength(6)
    const services = all(compose, /^ {2}(shop-\d):\n {4}<<: \*shop$/gm)
    expect(all(deployed('container/upstream.conf'), /^server ([\w-]+):/gm)).toEqual([...services, ...services])
  })

  it('ask for the health of the shop at addresses that it has', () => {
    const addresses = [
      ...all(cluster, /httpGet: \{path: (\S+),/g),
      ...all(image, /127\.0\.0\.1:' \+ process\.env\.PORT \+ '(\/\w+)'/g),
    ]
    expect(addresses).toHaveLength(4)
    const answered = all(read('src/server/http/app.ts'), /routes\.get\('(\/\w+)'/g)
    expect(addresses.filter((address) => !answered.includes(address))).toEqual([])
  })

  it('leave each process time to answer what it was asked before it is ended', () => {
    // What is waited for one after the other: visitors, a message under way, the last notes on jobs, the pools (those of the
    // replica are another's), and the collector of traces.
    const afterwards = (lastMomentMs + lastNotesMs + farewellMs) / 1_000 + 2 * closingSeconds
    const usual = (usualNoticeMs + restlessMs + usualIdleMs) / 1_000
    const longest = (usualNoticeMs + restlessMs + utmostMs) / 1_000 + afterwards
    expect(Number(only(unit, /^TimeoutStopSec=(\d+)s$/gm))).toBeGreaterThan(longest)
    expect(Number(only(compose, /stop_grace_period: (\d+)s/g))).toBeGreaterThan(longest)
    const leaving = Number(only(cluster, /command: \[sleep, '(\d+)'\]/g))
    const patience = Number(only(cluster, /terminationGracePeriodSeconds: (\d+)/g))
    expect(patience).toBeGreaterThan(leaving + longest)
    const guide = read('docs/guides/running-in-production.md')
    expect(Number(only(guide, /^ +TimeoutStopSec=(\d+)$/gm))).toBeGreaterThan(longest)
    for (const text of [guide, read('CHANGELOG.md')]) {
      const told = /gone after some (\d+) seconds as a rule, and after (\d+) at most/.exec(text.replaceAll('\n', ' '))
      expect(told?.slice(1).map(Number)).toEqual([usual, longest])
    }
  })

  it('build the image of what it is built and run from, and of nothing that lies beside it', () => {
    const [first, ...lines] = withoutComments(read('.dockerignore')).trim().split('\n')
    expect(first).toBe('*')
    const along = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(along).toEqual(
      expect.arrayContaining(['package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts', 'src']),
    )
    // What a running shop reads beside its program.
    expect(along).toEqual(expect.arrayContaining(['content', 'translations', 'demo', 'emulator', 'shop.config.ts']))
    for (const name of ['node_modules', 'dist', 'data', '.git', 'tests', 'deploy']) expect(along).not.toContain(name)
    // As npm does, but with the Node of the image.
    const [, bundled = ''] = /run\(node, \[(.+), logLevel\]\)/.exec(read('scripts/build.mjs')) ?? []
    expect(image).toContain(`RUN node ${bundled.replaceAll(/[',]/g, '')} warn\n`)
  })

  it('run it as nobody in particular, on files that it cannot write', () => {
    expect(all(image, /^USER (\w+)$/gm)).toEqual(['node'])
    expect(compose).toMatch(/read_only: true[\s\S]*cap_drop: \[ALL\]/)
    for (const pods of [cluster, migration]) {
      for (const line of ['runAsNonRoot: true', 'readOnlyRootFilesystem: true', 'allowPrivilegeEscalation: false']) {
        expect(pods).toContain(line)
      }
    }
  })

  it('let each container read its secrets, and come back to its address when it is made anew', () => {
    const service = (name: string) => compose.split(/^ {2}(?=\S)/m).find((part) => part.startsWith(`${name}:\n`)) ?? ''
    // The number of the user that Node's own image calls `node`.
    expect(only(service('pgbouncer'), /^ {4}user: '(\d+):\d+'$/gm)).toBe('1000')
    const subnet = only(compose, /subnet: ([\d.]+)\.0\/24/g)
    const addresses = ['shop-1', 'shop-2'].map((name) => `${name}:${only(service(name), /ipv4_address: ([\d.]+)\}/g)}`)
    expect(all(only(service('nginx'), /extra_hosts: \[(.+)\]/g), /'(.+?)'/g)).toEqual(addresses)
    for (const address of addresses) expect(address).toContain(`:${subnet}.`)
  })

  it('have PgBouncer lend by transaction at one address, and by session at another, to as many as there may be', () => {
    expect(only(pooler, /^pool_mode = (\w+)$/gm)).toBe('transaction')
    expect(pooler).toMatch(/^shop = (?!.*pool_mode)/m)
    expect(pooler).toMatch(/^shop_session = .*\bpool_mode=session\b/m)
    const sizes = all(pooler, /pool_size=(\d+)/g).map(Number)
    // While versions change there is one more that starts, and one that ends: the next has to wait until that has gone.
    expect(only(cluster, /maxSurge: (\d+)/g)).toBe('1')
    const leaving = Number(only(cluster, /command: \[sleep, '(\d+)'\]/g))
    const usualEnd = leaving + (usualNoticeMs + restlessMs + usualIdleMs) / 1_000
    expect(Number(only(cluster, /minReadySeconds: (\d+)/g))).toBeGreaterThan(usualEnd)
    expect((Number(only(cluster, /maxReplicas: (\d+)/g)) + 2) * 15).toBeLessThanOrEqual(sizes[1] ?? 0)
    const reserve = Number(only(pooler, /^reserve_pool_size = (\d+)$/gm))
    const together = sizes.reduce((sum, size) => sum + size + reserve, 0)
    expect(Number(only(compose, /max_connections=(\d+)/g))).toBeGreaterThan(together * 1.2)
    // The same file but for where things are.
    const inside = deployed('container/pgbouncer.ini').replaceAll('host=postgres', 'host=127.0.0.1')
    expect(inside.replace('listen_addr = 0.0.0.0', 'listen_addr = 127.0.0.1')).toBe(pooler)
  })

  it('add a pod when one has its thread busy, whatever it asked the cluster for', () => {
    // A share would be one of the request, which says what an idle one needs.
    const busy = Number(only(cluster, /target: \{type: AverageValue, averageValue: (\d+)m\}/g))
    expect(busy).toBeGreaterThanOrEqual(500)
    expect(busy).toBeLessThan(1_000)
  })

  it('P1 have nginx repeat nothing that changes something, and end a connection before the shop does', () => {
    expect(only(nginx, /^ +proxy_next_upstream (.+);$/gm)).toBe('error timeout')
    expect(only(cluster, /proxy-next-upstream: (.+)$/gm)).toBe('error timeout')
    const [visitors, shop] = all(nginx, /keepalive_timeout (\d+)s;/g).map(Number)
    expect([visitors, shop]).toEqual([65, 8])
    const { keepAliveTimeout: promised, keepAliveTimeoutBuffer: longer } = connectionLimits
    expect((shop ?? 0) * 1_000).toBeLessThan(promised)
    // As nginx.conf and the guides on production, several machines and caches say in words.
    expect([promised, promised + longer, usualIdleMs]).toEqual([10_000, 30_000, 12_000])
    // One that was restarted may still be left out when the next one refuses.
    for (const folder of ['nginx', 'container']) {
      const lines = all(deployed(`${folder}/upstream.conf`), /^server (\S+ .+);$/gm).map((line) => line.split(' '))
      const named = (backup: boolean) =>
        lines.filter((line) => line.includes('backup') === backup).map(([name]) => name)
      expect(named(true)).toEqual(named(false))
      expect(lines.filter((line) => line.includes('backup') !== line.includes('max_fails=0'))).toEqual([])
    }
    expect(only(nginx, /^ +proxy_cache (\w+);$/gm)).toBe('off')
    // A visitor's own word on where they come from goes no further.
    expect(only(nginx, /X-Forwarded-For (.+);$/gm)).toBe('$remote_addr')
  })

  it.runIf(programPath('nginx') && programPath('openssl'))('are read by nginx', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-deploy-'))
    try {
      const file = await nginxFolder(folder, { http: 18_080, https: 18_443, shops: [3000, 3001] })
      const { status, stderr } = spawnSync(programPath('nginx') ?? '', ['-t', '-c', file], { encoding: 'utf8' })
      expect([status, stderr.includes('[emerg]') ? stderr : '']).toEqual([0, ''])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it.runIf(programPath('nginx') && programPath('openssl'))(
    'T28 have nginx lead people from http to https, and refuse programs there in words',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'vitrine-deploy-'))
      const http = await freePort()
      const nginxRuns = await startNginx(await nginxFolder(folder, { http, https: await freePort(), shops: [3000] }))
      try {
        const ask = async (path: string, method = 'GET') => {
          const answer = await fetch(`http://127.0.0.1:${http}${path}`, { method, redirect: 'manual' })
          return { status: answer.status, to: answer.headers.get('location'), said: await answer.text(), answer }
        }
        // Who signs certificates comes by plain http, and is told what lies there.
        const challenge = await ask('/.well-known/acme-challenge/none')
        expect([challenge.status, challenge.to]).toEqual([404, null])
        const pages = [
          '/',
          '/shop/?orderby=price',
          '/product/api/',
          '/de/checkout/',
          '/download/x/',
          '/.well-known/acme',
        ]
        for (const path of pages) {
          const { status, to } = await ask(path)
          expect([path, status, to]).toEqual([path, 308, `https://127.0.0.1${path}`])
          expect((await ask(path, 'HEAD')).status).toBe(308)
        }
        const ofPrograms = [...calls.filter(({ door }) => door === 'rest').map(restPath), urls.adminAjax, '/metrics']
        expect(ofPrograms.length).toBeGreaterThan(20)
        const asked = ['/?wc-ajax=checkout', '/cart/?a=1&wc-ajax=x', '/?wc%2Dajax=x', '/de/wp-json/x', '/%77p-json/x']
        for (const path of [
          ...ofPrograms,
          ...asked,
          '//wp-json/wc/v3/orders',
          '/x/../wp-json/wc/v3/orders?consumer_key=1',
        ]) {
          const { status, to, said, answer } = await ask(path)
          expect([path, status, to]).toEqual([path, 403, null])
          expect(said).toContain('https alone')
          expect(answer.headers.get('content-type')).toBe('text/plain')
        }
        for (const method of ['POST', 'PUT', 'DELETE']) expect((await ask('/checkout/', method)).status).toBe(403)
      } finally {
        await nginxRuns.stop()
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )

  it('open for nginx no file that is a socket under systemd, and let the unit try for as long as a database is away', () => {
    expect(nginx).not.toContain('/dev/std')
    expect(only(unit, /^StartLimitIntervalSec=(\d+)$/gm)).toBe('0')
    expect(only(unit, /^RestartPreventExitStatus=(\d+)$/gm)).toBe('78')
  })

  it('let the unit put those who draw behind everything else, and refuse other say over priorities', () => {
    const lines = all(unit, /^SystemCallFilter=(.+)$/gm)
    expect(lines.at(-1)).toBe('setpriority')
    expect(lines.some((line) => line.startsWith('~') && line.includes('@resources'))).toBe(true)
  })

  it.runIf(programPath('systemd-analyze'))('are read by systemd, which has little left to shut off', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-deploy-'))
    try {
      const file = join(folder, 'vitrine@.service')
      cpSync(join(root, 'deploy/systemd/vitrine@.service'), file)
      const verified = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
      const faults = verified.stderr.split('\n').filter((line) => line.includes('vitrine@') && !/executable/.test(line))
      expect(faults).toEqual([])
      const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', file], { encoding: 'utf8' })
      const exposure = /exposure level for \S+: (\d+\.\d)/.exec(stdout)?.[1]
      // Older ones cannot tell of a file.
      if (exposure !== undefined) expect(Number(exposure)).toBeLessThan(2)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('are told of in the guide, each folder', () => {
    const guide = read('docs/guides/several-machines.md')
    const folders = globSync('deploy/*/', { cwd: root }).map((folder) => folder.replace(/\/?$/, '/'))
    const own = folders.filter((folder) => folder !== 'deploy/observability/')
    expect(own.length).toBeGreaterThanOrEqual(5)
    expect(own.filter((folder) => !guide.includes(`\`${folder}\``))).toEqual([])
  })
})
