import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { browserFlags } from '#tests/support/browser.ts'
import { chromiumPath } from './chromium.ts'

export type OwnChromium = AsyncDisposable & {
  readonly port: number
  /** Of the browser's own session. */
  readonly endpoint: string
}

/** A Chromium with an empty profile that others drive by its debugging port, and nobody else looks into while they do. */
export async function anOwnChromium(
  cookies: readonly { name: string; value: string; url: string }[] = [],
): Promise<OwnChromium> {
  const program = chromiumPath()
  if (program === null) throw new Error('no Chromium found: install one, or set CHROMIUM_PATH')
  const profile = await mkdtemp(join(tmpdir(), 'vitrine-chromium-'))
  const child = spawn(
    program,
    [...browserFlags, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    // A group of its own: Debian's program is a script that waits for the browser, and would die alone.
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null
  const endAll = () => {
    // Without a number it would be the group of the tests themselves.
    if (child.pid !== undefined && isRunning()) process.kill(-child.pid, 'SIGKILL')
  }
  process.once('exit', endAll)
  const endpoint = await new Promise<string>((resolve, reject) => {
    let printed = ''
    child.stderr.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-4000)
      const address = /DevTools listening on (ws:\S+)/.exec(printed)?.[1]
      if (address) resolve(address)
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => reject(new Error(`${program} ended with ${code ?? signal}: ${printed}`)))
  })
  if (cookies.length > 0) {
    const browser = await chromium.connectOverCDP(endpoint)
    await browser.contexts()[0]?.addCookies([...cookies])
    await browser.close()
  }
  return {
    port: Number(new URL(endpoint).port),
    endpoint,
    async [Symbol.asyncDispose]() {
      process.off('exit', endAll)
      if (isRunning()) {
        // Closed once nobody writes to it any more: the last of the group has ended.
        const closed = new Promise((resolve) => child.once('close', resolve))
        endAll()
        await closed
      }
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
