import type postgres from 'postgres'
import {
  consumeRateLimitWithCost,
  isBelowRateLimit,
  type RateLimit,
  type RateLimitCost,
  rateLimitWait,
  refundRateLimit,
} from '#database/operations/rate-limits.ts'
import { sha256 } from './digest.ts'
import type { Tools } from './tools.ts'

const minuteMs = 60_000

/** What is guessed: once the tries are used up, each further one waits twice as long as the one before. */
const guesses = (tries: number) => ({ tries, perMs: 15 * minuteMs, growing: true }) as const

/** What is limited, per account (or order) and per network. Many people may share a network: it gets more, but never of passwords. */
export const limits = {
  'log-in': { subject: guesses(10), network: guesses(10) },
  register: { subject: { tries: 5, perMs: 60 * minuteMs }, network: { tries: 20, perMs: 60 * minuteMs } },
  'lost-password': { subject: { tries: 3, perMs: 15 * minuteMs }, network: { tries: 20, perMs: 15 * minuteMs } },
  'confirm-email': { subject: { tries: 3, perMs: 15 * minuteMs }, network: { tries: 20, perMs: 15 * minuteMs } },
  'verify-email': { subject: { tries: 10, perMs: 15 * minuteMs }, network: { tries: 50, perMs: 15 * minuteMs } },
  // Six digits, of which three are right at any moment.
  'second-factor': { subject: guesses(5), network: guesses(10) },
  // Codes that no coupon has. A new session costs nothing, so the network counts as well.
  coupon: { subject: guesses(10), network: guesses(30) },
  // Programs whose key or signature was wrong.
  'api-key': { subject: { tries: 20, perMs: 15 * minuteMs }, network: { tries: 60, perMs: 15 * minuteMs } },
  // Payments that failed. Who tries out stolen cards changes the session at will, so the network counts as much.
  pay: { subject: { tries: 5, perMs: 10 * minuteMs }, network: { tries: 5, perMs: 10 * minuteMs } },
  // The same of one card, from wherever it is tried; networks are counted above.
  'pay-by-card': { subject: { tries: 5, perMs: 10 * minuteMs }, network: { tries: 10_000, perMs: 10 * minuteMs } },
  // Ways to pay that somebody begins to save, and agreements that are looked up: both can be used to try out what is stolen.
  keep: { subject: { tries: 20, perMs: 10 * minuteMs }, network: { tries: 60, perMs: 10 * minuteMs } },
} as const satisfies Record<string, { subject: RateLimit; network: RateLimit }>

export type Tries =
  /** `honest` gives the tries back: only what failed shall count. */
  { ok: true; honest(): Promise<void> } | { ok: false; waitMs: number }

/** Counts a try of something that can be guessed, against whom it is about and the network that it comes from. */
export async function limitGuesses(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  what: keyof typeof limits,
  { subject, ip }: { subject: string; ip: string },
): Promise<Tries> {
  const now = clock.now()
  const counted: { bucket: string; cost: RateLimitCost }[] = []
  const giveBack = async () => {
    for (const { bucket, cost } of counted) await refundRateLimit(db, bucket, cost)
  }
  for (const [kind, name] of [
    ['network', networkOf(ip)],
    ['subject', subject],
  ] as const) {
    const limit = limits[what][kind]
    const bucket = sha256(`${what}|${kind}|${name}`)
    const { waitMs, cost } = await consumeRateLimitWithCost(db, bucket, limit, now)
    if (waitMs > 0) {
      await giveBack()
      return { ok: false, waitMs }
    }
    counted.push({ bucket, cost })
  }
  return { ok: true, honest: giveBack }
}

/** A condition for a statement: something may be tried now. What is done by memory asks it with its write. */
export function guessLimitCondition(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  what: keyof typeof limits,
  who: { subject: string; ip: string },
): postgres.Fragment {
  return isBelowRateLimit(db, bucketsOf(what, who), clock.now())
}

/** How long to wait until something may be tried again, in milliseconds; 0: at once. Counts nothing. */
export async function waitBefore(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  what: keyof typeof limits,
  who: { subject: string; ip: string },
): Promise<number> {
  return rateLimitWait(db, bucketsOf(what, who), clock.now())
}

function bucketsOf(
  what: keyof typeof limits,
  { subject, ip }: { subject: string; ip: string },
): Map<string, RateLimit> {
  const { network, subject: own } = limits[what]
  return new Map<string, RateLimit>([
    [sha256(`${what}|network|${networkOf(ip)}`), network],
    [sha256(`${what}|subject|${subject}`), own],
  ])
}

/** An IPv4 address, or the half of an IPv6 address that names a network: its holder has all addresses of the other half. */
export function networkOf(ip: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (v4) return v4
  const [head = '', tail] = ip.toLowerCase().split('%')[0]?.split('::') ?? []
  const groups = head.split(':').filter(Boolean)
  const rest = tail?.split(':').filter(Boolean) ?? []
  while (tail !== undefined && groups.length + rest.length < 8) groups.push('0')
  const network = [...groups, ...rest].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}
