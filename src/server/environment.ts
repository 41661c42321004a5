import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import type { Chance, Clock, Environment, Log, Network } from '#contract/environment.ts'

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (ms, signal) => {
    if (signal?.aborted) return
    await sleep(ms, undefined, signal && { signal }).catch((error: unknown) => {
      // Waiting that was called off is over, which is all that a caller asked for.
      if (!signal?.aborted) throw error
    })
  },
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export const systemChance: Chance = {
  hex: (bytes) => randomBytes(bytes).toString('hex'),
  alphanumeric: (length) => Array.from({ length }, () => letters[randomInt(letters.length)]).join(''),
  uuid: () => randomUUID(),
  fraction: () => randomInt(2 ** 47) / 2 ** 47,
}

export const systemNetwork: Network = { fetch: (url, init) => fetch(url, init) }

/** One line of JSON per message on standard output. */
export function systemLog(level: 'info' | 'warn' | 'error' | 'silent' = 'info'): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime })
}

/** The real four, for the composition root. */
export function systemEnvironment(log: Log): Environment {
  return { clock: systemClock, chance: systemChance, network: systemNetwork, log }
}
