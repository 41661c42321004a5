import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '#contract/shared/environment.ts'
import { hitParameter } from '#contract/statistics/statistics.ts'
import { dice } from '#tests/support/shared/dice.ts'
import { seedOr, size } from '#tests/support/size.ts'
import {
  aPeopledShop,
  asBefore,
  canaries,
  type Identity,
  keepAside,
  linkAction,
  noncesOf,
  type PeopledShop,
} from '../support/people.ts'
import { knownOf } from './existing-values.ts'
import { anInput, type Input, type Known, parameterPattern } from './inputs.ts'
import { type Target, targets } from './targets.ts'
import { mark } from './values.ts'

// M9: every route is asked by those whom it lets in, and by others, for what its declaration allows, nearly allows and never
// meant. Again with the same throws: `SEED=7 vitest run tests/security/fuzz -t 'POST /cart/'`.

const seed = seedOr(20)
const usualInputs = size(200, 2000)
/** The two interfaces for programs are fuzzed from their description as well: described.test.ts. */
const inputsOf = ({ path }: Pick<Target, 'path'>): number =>
  /wp-json\/wc\/(?:v3|store)/.test(path) ? size(12, 1000) : usualInputs
const longestStallMs = 200

let peopled: PeopledShop
let known: Known
/** What the shop has written down as its own fault since the last answer. */
let faults: string[] = []

const nothing = () => undefined
const log: Log = {
  info: nothing,
  warn: nothing,
  error: (facts, message) => {
    if (/^(?:request failed|database did not answer)$/.test(message)) faults.push(`${facts.error} ${facts.stack}`)
  },
}

beforeAll(async () => {
  peopled = await aPeopledShop({ environment: { log } })
  known = await knownOf(peopled)
  await keepAside(peopled)
}, 120_000)
afterAll(() => peopled?.shop.close())

beforeEach(() => asBefore(peopled))

describe('M9 fuzzed', () => {
  it.each(targets.map((target) => [target.name, target] as const))(
    '%s: no answer of 5xx, no stall, nothing told of others or of the machine',
    async (_, target) => {
      const roll = dice(seed + numberOf(target.name))
      const aimed = { ...target, own: [...target.own, ...(await namesHeard(target))] }
      const inputsEach = inputsOf(target)
      let answered = 0
      for (let index = 0; index < inputsEach; index += 1) {
        const person = peopled.people[visitorOf(target, roll)]
        const nonces = { ...noncesOf(person), _wpnonce: person.nonce(linkAction(target.path)) }
        const input = anInput(roll, aimed, person, known, nonces)
        const told = () =>
          `SEED=${seed}, ${target.name}, input ${index}, as ${person.identity}: ${JSON.stringify(input).slice(0, 3000)}`
        const answer = await ask(input)
        if (!answer) continue
        answered += 1
        expect(wrongIn(answer, person.identity), told()).toEqual([])
        // Others work on this machine as well: only what stalls again each time is the input's doing.
        let { stallMs } = answer
        for (let again = 0; again < 3 && stallMs > longestStallMs; again += 1)
          stallMs = (await ask(input))?.stallMs ?? 0
        expect(stallMs, `the event loop stood still: ${told()}`).toBeLessThanOrEqual(longestStallMs)
        if (index % 25 === 24) await peopled.shop.db.sql`delete from rate_limits`
      }
      // Addresses that no client could send are left out, and must stay few.
      expect(answered).toBeGreaterThan(inputsEach * 0.8)
    },
    size(120_000, 1_200_000),
  )
})

/** The names that a page asks its address for while it answers a plain request: those are worth the most tries. */
async function namesHeard(target: Target): Promise<string[]> {
  if (target.json || !target.methods.includes('GET')) return []
  const person = peopled.people[usualVisitor(target)]
  const path = target.path.replace(
    parameterPattern,
    (_, name: string | undefined) => known.parameters[name ?? '*']?.[0] ?? '1',
  )
  const heard = new Set<string>()
  const { get, has } = URLSearchParams.prototype
  URLSearchParams.prototype.get = function (name) {
    heard.add(name)
    return get.call(this, name)
  }
  URLSearchParams.prototype.has = function (name, value) {
    heard.add(name)
    return has.call(this, name, value)
  }
  try {
    await ask({ method: 'GET', path, headers: { ...person.headers, accept: 'text/html' }, body: null })
  } finally {
    Object.assign(URLSearchParams.prototype, { get, has })
  }
  // These two would have another route answer.
  return [...heard].filter((name) => name !== 'wc-ajax' && name !== hitParameter)
}

type Answer = { status: number; type: string; headers: Headers; text: string; faults: string[]; stallMs: number }

/** @returns null when the input cannot be a request at all */
async function ask({ method, path, headers, body }: Input): Promise<Answer | null> {
  const { shop } = peopled
  let request: Request
  try {
    const bytes = body === null ? null : Buffer.from(body, 'latin1')
    request = new Request(shop.url + path, { method, headers, body: bytes, redirect: 'manual' })
  } catch {
    return null
  }
  faults = []
  // A heart of our own: the platform's measure leaves out the first beat, and most answers take no longer than that.
  let lastBeat = performance.now()
  let stallMs = 0
  const beat = () => {
    const now = performance.now()
    stallMs = Math.max(stallMs, now - lastBeat)
    lastBeat = now
  }
  const heart = setInterval(beat, 10)
  const before = process.cpuUsage()
  try {
    const response = await shop.shop.app(request, { ip: '127.0.0.1' })
    const text = plainBytes(response, Buffer.from(await response.arrayBuffer())).toString('utf8')
    beat()
    const { user, system } = process.cpuUsage(before)
    const { status, headers: answered } = response
    return {
      status,
      type: answered.get('content-type') ?? '',
      headers: answered,
      text,
      faults,
      // Standing still without working is the machine's doing, which has others to serve.
      stallMs: Math.min(stallMs, (user + system) / 1000),
    }
  } finally {
    clearInterval(heart)
  }
}

/** What the bytes say, however they are packed. */
function plainBytes({ headers }: Response, bytes: Buffer): Buffer {
  const encoding = headers.get('content-encoding')
  if (bytes.length === 0 || encoding === null) return bytes
  return encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes)
}

const ofTheMachine =
  /\bat (?:async )?[\w.<>]+ \(|node_modules|file:\/\/\/(?!etc\/passwd)|\bPostgresError\b|\binsert into "|\bselect "\w|syntax error at or near|violates .* constraint|ZodError|TypeError/

function wrongIn({ status, type, headers, text, faults: written }: Answer, identity: Identity): string[] {
  const wrong: string[] = written.map((fault) => `the shop failed: ${fault.slice(0, 1500)}`)
  // 503 that is no failure is an honest word: of the provider, of a full library, or to a page that is only loaded ahead. The
  // platform's interface has 501 for a bin that there is not.
  if (status >= 500 && status !== 503 && !(status === 501 && text.includes('rest_trash_not_supported')))
    wrong.push(`${status}: ${text.slice(0, 300)}`)
  if (type.startsWith('application/json') && text !== '' && !isJson(text)) wrong.push(`no JSON: ${text.slice(0, 300)}`)
  const machine = ofTheMachine.exec(text)?.[0]
  if (machine !== undefined) wrong.push(`tells of the machine: ${machine}`)
  for (const folder of [process.cwd(), peopled.shop.dataDir]) if (text.includes(folder)) wrong.push(`names ${folder}`)
  if (identity !== 'program' && identity !== 'shop manager') {
    for (const canary of canaries) if (text.includes(canary)) wrong.push(`shows ${canary}`)
  }
  if (type.startsWith('text/html') && text.includes(mark)) wrong.push('has markup that was sent to it')
  const leadsTo = headers.get('location')
  if (leadsTo !== null && isElsewhere(leadsTo)) wrong.push(`leads to ${leadsTo}`)
  return wrong
}

function isElsewhere(location: string): boolean {
  const { shop } = peopled
  if (!URL.canParse(location, shop.url)) return true
  const { origin } = new URL(location, shop.url)
  return origin !== shop.url && origin !== shop.emulator?.url && !location.startsWith('https://example.')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Mostly one whom the route lets in, for what lies behind is what can break. Never the owner, whose things nobody may see. */
function visitorOf(target: Target, roll: (sides: number) => number): Identity {
  const others: readonly Identity[] = ['guest', 'stranger', 'other customer', 'logged out', 'translator']
  const usual = usualVisitor(target)
  return roll(100) < 75 ? usual : (others[roll(others.length)] ?? usual)
}

function usualVisitor({ identity }: Target): Identity {
  const may: Readonly<Partial<Record<Target['identity'], Identity>>> = {
    translator: 'translator',
    'shop-manager': 'shop manager',
    'consumer-key': 'program',
    customer: 'other customer',
  }
  return may[identity] ?? 'guest'
}

/** A number of its own for each route, so that a route that is added leaves the throws of others as they are. */
const numberOf = (name: string) => [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7)
