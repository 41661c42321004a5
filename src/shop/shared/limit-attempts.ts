import {
  consumeRateLimitWithCost,
  type RateLimit,
  type RateLimitCost,
  rateLimitWait,
  refundRateLimit,
} from '#database/operations/rate-limits.ts'
import { sha256 } from './digest.ts'
import type { Tools } from './tools.ts'

const minuteMs = 60_000

/** Limits guesses: once the attempts are used up, each further one waits twice as long as the one before. */
const guesses = (tries: number) => ({ tries, perMs: 15 * minuteMs, growing: true }) as const

/**
 * Limits per subject (account or order) and per network. Many people may share a network: its limit is higher, except
 * for passwords.
 */
export const limits = {
  'log-in': { subject: guesses(10), network: guesses(10) },
  register: { subject: { tries: 5, perMs: 60 * minuteMs }, network: { tries: 20, perMs: 60 * minuteMs } },
  'lost-password': { subject: { tries: 3, perMs: 15 * minuteMs }, network: { tries: 20, perMs: 15 * minuteMs } },
  'confirm-email': { subject: { tries: 3, perMs: 15 * minuteMs }, network: { tries: 20, perMs: 15 * minuteMs } },
  'verify-email': { subject: { tries: 10, perMs: 15 * minuteMs }, network: { tries: 50, perMs: 15 * minuteMs } },
  // Six digits, of which three codes are valid at any moment.
  'second-factor': { subject: guesses(5), network: guesses(10) },
  // Unknown coupon codes. A new session is free, so the network is limited as well.
  coupon: { subject: guesses(10), network: guesses(30) },
  // Programs with a wrong key or signature.
  'api-key': { subject: { tries: 20, perMs: 15 * minuteMs }, network: { tries: 60, perMs: 15 * minuteMs } },
  // Failed payments. A card tester changes the session at will, so the network has the same limit.
  pay: { subject: { tries: 5, perMs: 10 * minuteMs }, network: { tries: 5, perMs: 10 * minuteMs } },
  // Failed payments with one card, from any network; networks are limited above.
  'pay-by-card': { subject: { tries: 5, perMs: 10 * minuteMs }, network: { tries: 10_000, perMs: 10 * minuteMs } },
  // Setups of payment methods and lookups of agreements: both can be used to test stolen data.
  keep: { subject: { tries: 20, perMs: 10 * minuteMs }, network: { tries: 60, perMs: 10 * minuteMs } },
} as const satisfies Record<string, { subject: RateLimit; network: RateLimit }>

export type Tries =
  /** `honest` refunds the attempts, so that only failures count. */
  { ok: true; honest(): Promise<void> } | { ok: false; waitMs: number }

/** Counts an attempt of something that can be guessed, against its subject and the network. */
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

/** Returns the milliseconds until the next attempt is allowed; 0: now. Counts nothing. */
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

/** Returns an IPv4 address, or the /64 network of an IPv6 address: its holder controls all addresses within. */
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
