import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '#server/payments/demo-emulator.ts'
import { nginxFolder, programPath, startNginx } from '#tests/rehearsal/front.ts'
import type { Balancer } from './balancer.ts'

/** What nginx needs to stand in front, and is not on the machine. */
export const missingForNginx = (['nginx', 'openssl'] as const).filter((name) => programPath(name) === null)

/**
 * nginx by the configuration as it is delivered. Visitors tell it their addresses, as a balancer in front of it does: all of
 * them come from this machine, and one visitor may not order as often as eight.
 */
export async function nginxInFront(ports: readonly number[]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-nginx-'))
  const http = await freePort(8100)
  const https = await freePort(http + 1)
  const file = await nginxFolder(folder, { http, https, shops: ports })
  const delivered = await readFile(file, 'utf8')
  const behindAnother = delivered
    .replace('#   set_real_ip_from 10.0.0.0/8;', 'set_real_ip_from 127.0.0.0/8;')
    .replace('#   real_ip_header', 'real_ip_header')
    .replace('#   real_ip_recursive', 'real_ip_recursive')
  await writeFile(file, behindAnother)
  const nginx = await startNginx(file)
  return {
    url: `https://127.0.0.1:${https}`,
    ca: await readFile(join(dirname(file), 'tls/fullchain.pem'), 'utf8'),
    // What it cannot get it answers with 502, and that is what visitors tell of.
    lost: [],
    async [Symbol.asyncDispose]() {
      await nginx.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
