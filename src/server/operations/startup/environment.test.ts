import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { statusReporter } from './environment.ts'

/** Every write to it fails, as on a full disk. */
const fullDisk = '/dev/full'

const noisy = `
  const { systemLog } = await import(${JSON.stringify(join(import.meta.dirname, 'environment.ts'))})
  const log = systemLog('warn')
  for (let line = 0; line < 3; line += 1) {
    log.warn({ line }, 'the database went away')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  process.exit(7)`

async function run(stdout: number | 'pipe'): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', noisy], { stdio: ['ignore', stdout, 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout?.on('data', (chunk) => {
    said.out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    said.err += chunk
  })
  // A process that hangs is killed, and has no exit code then.
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  const [code] = await once(child, 'close')
  clearTimeout(late)
  return { code, ...said }
}

describe('the log of a process', () => {
  it('is one line of JSON for each message', async () => {
    const { code, out, err } = await run('pipe')
    expect([code, err]).toEqual([7, ''])
    const lines = out.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).line)).toEqual([0, 1, 2])
  })

  it('holds what a start says as well, which a person at a terminal reads as it is', () => {
    const said = (isTTY: boolean) => {
      const lines: string[] = []
      const now = () => new Date('2026-05-10T12:00:00Z')
      statusReporter(
        { isTTY, write: (line: string | Uint8Array) => lines.push(String(line)) > 0 },
        { now },
      )('The shop is “open”')
      return lines.join('')
    }
    expect(said(true)).toBe('The shop is “open”\n')
    expect(said(false)).toMatch(/^[^\n]+\n$/)
    expect(JSON.parse(said(false))).toEqual({ level: 30, time: '2026-05-10T12:00:00.000Z', msg: 'The shop is “open”' })
  })

  it.skipIf(!existsSync(fullDisk))('F5 ends or holds up no process where its disk is full', async () => {
    expect(await run(openSync(fullDisk, 'w'))).toEqual({ code: 7, out: '', err: '' })
  })
})
