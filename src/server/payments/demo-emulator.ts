import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { execPath } from 'node:process'
import type { Environment } from '#contract/shared/environment.ts'
import { urls } from '#contract/shared/urls.ts'
import type { PayPalSettings } from '../operations/configuration/config.ts'

export type DemoEmulator = {
  readonly url: string
  readonly settings: PayPalSettings
  stop(): Promise<void>
}

const webhookId = '1JE4291016473214C'
const clientSecret = 'emulator-secret'

/**
 * Starts the payment emulator as a separate process with its own origin, like a real provider. Its ids differ after
 * every restart: the shop still has earlier purchases, and PayPal reuses no id.
 */
export async function runEmulator({
  root,
  host,
  shopPort,
  shopUrl,
  chance,
}: {
  root: string
  host: string
  shopPort: number
  shopUrl: string
  chance: Pick<Environment['chance'], 'hex'>
}): Promise<DemoEmulator> {
  const port = await freePort(shopPort + 1000)
  const url = `http://${host}:${port}`
  const child = spawn(
    execPath,
    [
      join(root, 'emulator/main.ts'),
      ...['--port', String(port), '--host', host],
      ...['--client-secret', clientSecret, '--webhook-id', webhookId],
      ...['--webhook-url', shopUrl + urls.paypalWebhook()],
      ...['--seed', chance.hex(16)],
      // The emulator ends with the shop, even when that is killed.
      '--follow-parent',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    child.once('exit', (code) => reject(new Error(`the payment emulator exited at startup with code ${code}`)))
    child.once('error', reject)
  })
  child.stdout.resume()
  return {
    url,
    settings: {
      environment: 'sandbox',
      sdkUrl: `${url}/sdk/js`,
      apiBase: url,
      webBase: url,
      clientId: 'sb',
      clientSecret,
      webhookId,
      certHosts: [`${host}:${port}`],
    },
    stop: async () => {
      child.kill('SIGTERM')
    },
  }
}

/**
 * Returns the first port from `first` on without a listener on this machine; a port without permission counts as free.
 */
export async function freePort(first: number, host = '127.0.0.1'): Promise<number> {
  for (let port = first; port < first + 100; port += 1) {
    const free = await new Promise<boolean>((resolve) => {
      const probe = createServer()
      probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
      probe.listen(port, host, () => probe.close(() => resolve(true)))
    })
    if (free) return port
  }
  throw new Error(`the ports ${first} to ${first + 99} are all in use`)
}
