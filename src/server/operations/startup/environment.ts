import { randomInt, randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pino } from 'pino'
import type { Chance, Clock, Environment, Log, Network } from '#contract/shared/environment.ts'
import { guardedNetwork } from '#shop/shared/guarded-fetch.ts'
import { createRandomPool } from '../../http/security/random-pool.ts'
import type { Pulse } from '../load/load-limiter.ts'
import { type LogFormat, textLine } from '../metrics/log-line.ts'

export const systemClock: Clock = {
  now: () => new Date(),
  // Not from `timers/promises`: it creates an error with a stack for each aborted wait, and each call to the provider
  // aborts one.
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const over = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', over)
        resolve()
      }
      const timer = setTimeout(over, ms)
      signal?.addEventListener('abort', over)
    }),
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const systemChance: Chance = {
  hex: createRandomPool(),
  alphanumeric: (length) => Array.from({ length }, () => letters[randomInt(letters.length)]).join(''),
  uuid: () => randomUUID(),
  fraction: () => randomInt(2 ** 47) / 2 ** 47,
}

/** @param privateHosts servers in the operator's own network that settings may address */
export const systemNetwork = (privateHosts: readonly string[] = []): Network =>
  guardedNetwork((url, init) => fetch(url, init), { privateHosts })

/** One line per message on standard output. */
export function systemLog(level: 'info' | 'warn' | 'error' | 'silent' = 'info', format: LogFormat = 'json'): Log {
  const out = output()
  const stream = format === 'json' ? out : { write: (line: string) => void out.write(textLine(line)) }
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream)
}

/** Reports the state of the start: plain lines for a terminal, log lines at any log level for a program. */
export function statusReporter(
  output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stdout,
  { now }: Pick<Clock, 'now'> = systemClock,
): (line: string) => void {
  const logged = (line: string) =>
    JSON.stringify({ level: pino.levels.values.info, time: now().toISOString(), msg: line.trim() })
  return (line) => {
    output.write(`${output.isTTY ? line : logged(line)}\n`)
  }
}

/** Maximum buffer while nothing can be written, as on a full disk; further output is lost. */
const mostWaiting = 1024 * 1024

/** Returns standard output that survives write errors. */
function output() {
  const stream = pino.destination({ dest: 1, sync: false, maxLength: mostWaiting })
  let stuck = false
  // The error cannot be reported. The next write retries, and begins with the rest of this one.
  stream.on('error', () => {
    stuck = true
  })
  stream.on('write', () => {
    stuck = false
  })
  const flush = stream.flushSync.bind(stream)
  // Called at process exit. The default retries for ever, and the process would hold its port without answering.
  stream.flushSync = () => {
    if (!stuck) flush()
  }
  return stream
}

/** Creates the real environment, for the composition root. */
export function systemEnvironment(log: Log, privateHosts: readonly string[] = []): Environment {
  return { clock: systemClock, chance: systemChance, network: systemNetwork(privateHosts), log }
}

/** Sampling interval of the event loop delay; measured values include it. */
const everyMs = 10

export function processPulse(): Pulse {
  const delays = monitorEventLoopDelay({ resolution: everyMs })
  delays.enable()
  return {
    nowMs: () => performance.now(),
    takeDelayMs() {
      const meanMs = delays.count === 0 ? 0 : delays.mean / 1e6 - everyMs
      delays.reset()
      return Math.max(0, meanMs)
    },
  }
}
