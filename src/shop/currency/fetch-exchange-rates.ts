import type { Environment } from '#contract/shared/environment.ts'
import type { DayRates } from '#domain/currency/rates.ts'
import { readRates } from '#domain/currency/read-rates.ts'
import { readAtMost } from '#paypal/exchange.ts'
import { retryAfterMs } from '#paypal/retry-after.ts'

/** More than the rates of a day from any source. */
export const ratesLimitBytes = 1024 * 1024

/** The other jobs of the minute wait for it. */
const timeoutMs = 5_000

export type RatesFetched =
  | { readonly ok: true; readonly value: DayRates }
  | { readonly ok: false; readonly fault: string; readonly retryAfterMs?: number }

/** Requests a source's newest rates, once. It follows no redirect: the merchant is notified and sets the new URL. */
export async function fetchRates(
  { clock, network }: Pick<Environment, 'clock' | 'network'>,
  address: string,
): Promise<RatesFetched> {
  const settled = new AbortController()
  const giveUp = new AbortController()
  const timeout = clock.sleep(timeoutMs, settled.signal).then((): RatesFetched => {
    if (!settled.signal.aborted) giveUp.abort()
    return { ok: false, fault: `no answer within ${timeoutMs / 1000} seconds` }
  })
  try {
    // A race in addition to the abort: a network that ignores the signal must not block the other jobs either.
    return await Promise.race([ask({ clock, network }, address, giveUp.signal), timeout])
  } finally {
    settled.abort()
  }
}

async function ask(
  { clock, network }: Pick<Environment, 'clock' | 'network'>,
  address: string,
  signal: AbortSignal,
): Promise<RatesFetched> {
  let bytes: Buffer | undefined
  try {
    const headers = { accept: 'application/xml, application/json, text/csv;q=0.9, */*;q=0.1' }
    const response = await network.fetch(address, { headers, redirect: 'manual', signal, reach: 'internet' })
    if (response.status !== 200) {
      await response.body?.cancel()
      const wait = retryAfterMs(response.headers, clock.now())
      return { ok: false, fault: `HTTP ${response.status}`, ...(wait === undefined ? {} : { retryAfterMs: wait }) }
    }
    bytes = await readAtMost(response, ratesLimitBytes)
  } catch (error) {
    return { ok: false, fault: `no connection (${nameOf(error)})` }
  }
  return bytes ? ratesIn(bytes) : { ok: false, fault: 'the answer has more than a megabyte' }
}

/** Parses the rates of a file or a response. */
export function ratesIn(bytes: Buffer): RatesFetched {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { ok: false, fault: 'it is not written in UTF-8' }
  }
  return readRates(text)
}

/** Returns the system's code of a failed fetch, which is in its `cause`. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : error.name
}
