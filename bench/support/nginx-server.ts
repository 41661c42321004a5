import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BareServer, RawAnswer } from './bare-server.ts'

/** nginx says these of a file itself. */
const ownHeaders = new Set(['content-length', 'content-type', 'etag', 'last-modified'])

/**
 * The same headers and bytes from a file by nginx, set up to be fast, with one worker as the shop has one thread.
 * @returns null where there is no nginx on the machine
 */
export async function aNginxServer({ headers, body }: RawAnswer): Promise<BareServer | null> {
  if (spawnSync('nginx', ['-v']).status !== 0) return null
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-nginx-'))
  const port = await freePort()
  writeFileSync(join(folder, 'page'), body)
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'text/html'
  const added = Object.entries(headers)
    .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
    .map(([name, value]) => `add_header ${name} ${quoted(value)};`)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/errors;
events { worker_connections 512; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=10; types { }
  client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
  server {
    listen 127.0.0.1:${port};
    root ${folder}; default_type ${quoted(type)};
    location / { rewrite ^ /page break; ${added.join(' ')} }
  }
}`,
  )
  const child = spawn('nginx', ['-p', folder, '-e', join(folder, 'errors'), '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.status === 200) break
    if (tries > 100) throw new Error(`nginx does not answer: ${readFileSync(join(folder, 'errors'), 'utf8')}`)
    await sleep(50)
  }
  return {
    url,
    pid: workerOf(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      const exit = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exit
      rmSync(folder, { recursive: true })
    },
  }
}

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/** What answers is the worker, not the process that was started. */
function workerOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] ?? pid)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
