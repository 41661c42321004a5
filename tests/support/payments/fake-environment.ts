import type { Environment } from '#contract/shared/environment.ts'

export type Step = (url: string, init: RequestInit) => Response | Promise<Response>

/**
 * For tests: a clock that runs only while `run` waits, and a network that answers each request by the next step.
 * Requests beyond the last step fail the test.
 */
export function fakeEnvironment(steps: Step[] = []) {
  let now = Date.parse('2026-01-01T00:00:00Z')
  let timers: { at: number; wake: () => void }[] = []
  const calls: { url: string; init: RequestInit; at: number }[] = []
  const logged: string[] = []
  const log = (level: string) => (facts: Record<string, unknown>, message: string) => {
    logged.push(JSON.stringify({ level, message, ...facts }))
  }

  const environment: Environment = {
    clock: {
      now: () => new Date(now),
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          const timer = { at: now + ms, wake: resolve }
          timers.push(timer)
          signal?.addEventListener('abort', () => {
            timers = timers.filter((other) => other !== timer)
            resolve()
          })
        }),
    },
    chance: {
      hex: (bytes) => '0'.repeat(bytes * 2),
      alphanumeric: (length) => 'a'.repeat(length),
      uuid: () => '00000000-0000-4000-8000-000000000000',
      fraction: () => 0.5,
    },
    network: {
      async fetch(url, init = {}) {
        calls.push({ url: String(url), init, at: now })
        const step = steps.shift()
        if (!step) throw new Error(`no answer prepared for ${url}`)
        return step(String(url), init)
      },
    },
    log: { info: log('info'), warn: log('warn'), error: log('error') },
  }

  return {
    environment,
    calls,
    logged,
    steps,
    advance(ms: number) {
      now += ms
    },
    elapsed: () => now - Date.parse('2026-01-01T00:00:00Z'),
    /** Lets time pass, from timer to timer, until the promise settles. */
    async run<T>(promise: Promise<T>): Promise<T> {
      let settled = false
      promise.then(
        () => {
          settled = true
        },
        () => {
          settled = true
        },
      )
      for (;;) {
        // Streams and parsers take several turns of the event loop, in which no fake time passes.
        for (let turn = 0; turn < 20 && !settled; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        if (settled) return promise
        const next = timers.toSorted((a, b) => a.at - b.at)[0]
        if (!next) throw new Error('nothing left to wait for')
        timers = timers.filter((timer) => timer !== next)
        now = Math.max(now, next.at)
        next.wake()
      }
    },
  }
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  () =>
    new Response(body === null ? null : JSON.stringify(body), {
      status,
      headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...headers },
    })

export const token: Step = json(200, { access_token: 'A21AA-secret-token', expires_in: 32_400 })

export const failure =
  (code: string): Step =>
  () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
  }

/** Never answers, and takes no notice of being aborted. */
export const silence: Step = () => new Promise(() => {})
