/**
 * Failures on request. `route` is an operation's name (`orders.capture`), a method with a path (`POST /v2/checkout/*`),
 * several of them with commas between, or `*`; exactly one effect is named. It is used up after `times` calls, or over
 * after so many seconds of the emulator's clock.
 */
export type Fault = {
  route: string
  times: number
  seconds?: number
  effect: FaultEffect
}

type WaitingFault = Fault & { endsMs: number }

export type FaultEffect =
  /** Answered with this status and its error body; nothing happens. */
  | { kind: 'status'; status: number; retryAfter?: number }
  /** Refused with this issue, as `PayPal-Mock-Response` does. */
  | { kind: 'issue'; issue: string }
  /** Waits before anything happens; a second call meets the first one in progress. */
  | { kind: 'delay'; ms: number }
  /** Works, then answers late. */
  | { kind: 'answer_late'; ms: number }
  /** The connection is cut before anything happens. */
  | { kind: 'drop' }
  /** Works, then cuts the connection. */
  | { kind: 'done_then_drop' }
  /** Works, then answers 500. */
  | { kind: 'done_then_500' }
  /** Works, then answers half of the JSON. */
  | { kind: 'malformed' }
  /** Works, then answers an HTML page with status 200. */
  | { kind: 'wrong_type' }
  /** Works, then answers ten megabytes. */
  | { kind: 'huge' }
  /** Works, then answers one byte a second. */
  | { kind: 'drip' }

export type FaultKind = FaultEffect['kind']

export type Faults = {
  add(fault: Fault): void
  /** The first fault that meets this call, used up by one. */
  take(operation: string, method: string, path: string): FaultEffect | undefined
  all(): Fault[]
  clear(): void
}

export function faultTable(clock: { now(): Date }): Faults {
  let faults: WaitingFault[] = []
  const waiting = () => {
    const nowMs = clock.now().getTime()
    faults = faults.filter(({ endsMs }) => nowMs < endsMs)
    return faults
  }
  return {
    add: (fault) => {
      const { seconds } = fault
      faults.push({
        ...fault,
        endsMs: seconds === undefined ? Number.POSITIVE_INFINITY : clock.now().getTime() + seconds * 1_000,
      })
    },
    take(operation, method, path) {
      if (faults.length === 0) return undefined
      const fault = waiting().find((candidate) => meets(candidate.route, operation, method, path))
      if (!fault) return undefined
      if (fault.seconds === undefined) fault.times -= 1
      if (fault.times <= 0) faults = faults.filter((other) => other !== fault)
      return fault.effect
    },
    all: () => waiting().map(({ endsMs, ...fault }) => fault),
    clear: () => {
      faults = []
    },
  }
}

function meets(routes: string, operation: string, method: string, path: string): boolean {
  return routes.split(',').some((route) => meetsOne(route.trim(), operation, method, path))
}

function meetsOne(route: string, operation: string, method: string, path: string): boolean {
  if (route === '*' || route === operation) return true
  const [first = '', second] = route.split(' ')
  if (second !== undefined && first.toUpperCase() !== method) return false
  return pathPattern(second ?? first).test(path)
}

/** `:id` stands for one segment, `*` for any rest. */
function pathPattern(pattern: string): RegExp {
  const source = pattern
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*')))
    .join('/')
  return new RegExp(`^${source}$`)
}

const SWITCHES = new Set<string>(['drop', 'done_then_drop', 'done_then_500', 'malformed', 'wrong_type', 'huge', 'drip'])

/**
 * Reads `{ route, times or seconds, <effect> }`, where the effect is `status: 503`, `issue: "…"`, `delay: 2000`,
 * `answer_late: 2000` or a switch such as `drop: true`. Gives a text when it cannot be read.
 */
export function readFault(given: Record<string, unknown>): Fault | string {
  const route = typeof given.route === 'string' && given.route !== '' ? given.route : undefined
  if (!route) return 'route: the name of an operation, "METHOD /path", or "*"'
  const times = given.times === undefined ? 1 : Number(given.times)
  if (!Number.isInteger(times) || times < 1) return 'times: a whole number from 1'
  const effect = readEffect(given)
  if (typeof effect === 'string') return effect
  if (given.seconds === undefined || given.seconds === '') return { route, times, effect }
  const seconds = Number(given.seconds)
  if (!Number.isFinite(seconds) || seconds <= 0 || seconds > 86_400) return 'seconds: up to 86400'
  return { route, times, seconds, effect }
}

function readEffect(given: Record<string, unknown>): FaultEffect | string {
  if (given.status !== undefined) {
    const status = Number(given.status)
    if (!Number.isInteger(status) || status < 400 || status > 599) return 'status: 400 to 599'
    const retryAfter = Number(given.retry_after)
    return given.retry_after === undefined ? { kind: 'status', status } : { kind: 'status', status, retryAfter }
  }
  if (typeof given.issue === 'string') return { kind: 'issue', issue: given.issue }
  for (const kind of ['delay', 'answer_late'] as const) {
    if (given[kind] === undefined) continue
    const ms = Number(given[kind])
    return Number.isFinite(ms) && ms >= 0 && ms <= 120_000 ? { kind, ms } : `${kind}: milliseconds up to 120000`
  }
  const kind = [...SWITCHES].find((name) => given[name] === true || given.kind === name)
  // The set holds exactly the kinds that need no figure.
  if (kind) return { kind } as FaultEffect
  return `one of status, issue, delay, answer_late, ${[...SWITCHES].join(', ')}`
}
