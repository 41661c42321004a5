import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const deploy = join(import.meta.dirname, '../../deploy')

/** A program of the machine's own, or null where it is not installed. */
export function programPath(
  name: 'nginx' | 'pgbouncer' | 'openssl' | 'systemd-analyze' | 'varnishd' | 'prometheus',
): string | null {
  const folders = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/opt/homebrew/bin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

type Running = { stop(): Promise<void> }

/** Puts nginx's configuration, as it is delivered, into a folder of the test's own, with ports and processes of the test's own. */
export async function nginxFolder(
  folder: string,
  { http, https, shops }: { http: number; https: number; shops: readonly number[] },
): Promise<string> {
  const place = join(folder, 'nginx')
  await mkdir(join(place, 'tls'), { recursive: true })
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', join(place, 'tls/privkey.pem'), '-out', join(place, 'tls/fullchain.pem')]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const made = spawnSync(programPath('openssl') ?? 'openssl', ['req', '-x509', ...key, ...subject, ...files])
  if (made.status !== 0) throw new Error(`no certificate: ${made.stderr}`)
  const delivered = await readFile(join(deploy, 'nginx/nginx.conf'), 'utf8')
  const file = join(place, 'nginx.conf')
  await writeFile(
    file,
    delivered
      .replace('/run/nginx.pid', join(place, 'pid'))
      .replace('error_log stderr', `error_log ${join(place, 'error.log')}`)
      .replace('/var/log/nginx/access.log', join(place, 'access.log'))
      .replace('/var/cache/nginx-pages', join(place, 'pages'))
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443 ', `listen 127.0.0.1:${https} `),
  )
  const lines = await readFile(join(deploy, 'nginx/upstream.conf'), 'utf8')
  const every = new Set([...lines.matchAll(/^server \S+ (.+;)$/gm)].map(([, options]) => options))
  const servers = [...every].flatMap((options) => shops.map((port) => `server 127.0.0.1:${port} ${options}\n`))
  await writeFile(join(place, 'upstream.conf'), servers.join(''))
  return file
}

export async function startNginx(file: string): Promise<Running> {
  const child = spawn(programPath('nginx') ?? 'nginx', ['-c', file, '-g', 'daemon off;'], { stdio: 'inherit' })
  await sleep(300)
  return { stop: () => ended(child, 'SIGTERM') }
}

export type PgBouncer = Running & {
  /** Has it speak with the server at that port from now on. */
  pointTo(port: number): Promise<void>
}

/** PgBouncer by its configuration as it is delivered, before a server of the database `vitrine`. */
export async function startPgBouncer(
  folder: string,
  options: { port: number; server: number; password: string; user: { uid?: number; gid?: number } },
): Promise<PgBouncer> {
  const place = join(folder, 'pgbouncer')
  await mkdir(place, { recursive: true, mode: 0o755 })
  const users = join(place, 'userlist.txt')
  await writeFile(users, `"vitrine" "${options.password}"\n`)
  const file = join(place, 'pgbouncer.ini')
  const delivered = await readFile(join(deploy, 'pgbouncer/pgbouncer.ini'), 'utf8')
  const write = (server: number) =>
    writeFile(
      file,
      delivered
        .replaceAll('port=5432 dbname=shop', `port=${server} dbname=vitrine`)
        .replace('/etc/pgbouncer/userlist.txt', users)
        .replace('listen_port = 6432', `listen_port = ${options.port}`),
    )
  await write(options.server)
  const child = spawn(programPath('pgbouncer') ?? 'pgbouncer', ['-q', file], { ...options.user, stdio: 'inherit' })
  await sleep(300)
  return {
    async pointTo(server) {
      await write(server)
      child.kill('SIGHUP')
    },
    stop: () => ended(child, 'SIGINT'),
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  const patience = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await exit
  clearTimeout(patience)
}
