import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { localServer } from '#tests/support/http/local-server.ts'

/** What an engine may do to a call instead of translating it. */
export type EngineFault =
  /** Loses one thing that was to be kept, or says it twice. */
  | 'drop'
  | 'double'
  /** Puts two of them the other way round. */
  | 'swap'
  /** Answers one text less than it was sent, */
  | 'short'
  /** text as markup, */
  | 'entities'
  /** markup where there was none, */
  | 'tags'
  /** nothing for each text, */
  | 'empty'
  /** three megabytes, */
  | 'huge'
  /** something that is no answer, */
  | 'garbage'
  /** or never. */
  | 'hang'
  | 400
  | 403
  | 429
  | 456
  | 500

/** A call as it came in. */
export type EngineCall = {
  readonly engine: 'deepl' | 'google' | 'libretranslate'
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly texts: readonly string[]
  readonly source: string
  readonly target: string
  readonly markup: boolean
  readonly body: Readonly<Record<string, unknown>>
}

export type Engines = AsyncDisposable & {
  /** Without a slash at the end; the same for all three. */
  readonly url: string
  readonly calls: EngineCall[]
  /** How many calls were under way at once, at most. */
  readonly mostAtOnce: () => number
  /** The next calls go wrong so, one after the other; null: this one goes well. */
  fail(...faults: readonly (EngineFault | null)[]): void
  /** As long as something is returned, that is how each call goes wrong. */
  failAll(when: ((call: EngineCall) => EngineFault | null) | null): void
  /** Each answer takes so long. */
  slow(ms: number): void
  /** What a LibreTranslate server says it takes at a time; null: it does not say. */
  charLimit(characters: number | null): void
  /** The header of the next answers that say "too many". */
  retryAfter(value: string | null): void
  /** Cuts and ends whatever hangs. */
  close(): Promise<void>
}

export const key = 'a-key-that-nobody-may-see'
const libreLanguages = ['en', 'de', 'fr', 'ar', 'pt-BR', 'zh-Hans']

/** A server of one's own that speaks as DeepL, as Google (v2) and as LibreTranslate do: `Cup` becomes `[de] Cup`. */
export async function translationEngines(): Promise<Engines> {
  const calls: EngineCall[] = []
  let faults: (EngineFault | null)[] = []
  let always: ((call: EngineCall) => EngineFault | null) | null = null
  let delay = 0
  let waitHeader: string | null = null
  let charLimit: number | null = null
  let [atOnce, most] = [0, 0]

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const send = (status: number, body: unknown, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    const path = request.url ?? ''
    if (path === '/languages')
      return void send(
        200,
        libreLanguages.map((code) => ({ code, name: code, targets: libreLanguages })),
      )
    if (path === '/frontend/settings' && charLimit !== null) return void send(200, { charLimit, keyRequired: false })
    const call = readCall(path, request, await bodyOf(request))
    if (!call) return void send(404, { error: 'Not found' })
    calls.push(call)
    atOnce += 1
    most = Math.max(most, atOnce)
    if (delay > 0) await sleep(delay)
    atOnce -= 1
    const wrong = inherentFault(call)
    if (wrong) return void send(wrong.status, wrong.body)
    const fault = faults.shift() ?? always?.(call) ?? null
    if (fault === 'hang') return
    if (fault === 'garbage') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>')
    if (fault === 'huge') return void send(200, shaped(call, [`${'x'.repeat(3_000_000)}`]))
    if (typeof fault === 'number')
      return void send(fault, refusal(call, fault), waitHeader === null ? {} : { 'retry-after': waitHeader })
    send(200, shaped(call, answered(call, fault)))
  }

  const server = await localServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  return {
    url: server.url,
    calls,
    mostAtOnce: () => most,
    fail: (...next) => {
      faults = [...next]
    },
    failAll: (when) => {
      always = when
    },
    slow: (ms) => {
      delay = ms
    },
    charLimit: (characters) => {
      charLimit = characters
    },
    retryAfter: (value) => {
      waitHeader = value
    },
    close: server.close,
    [Symbol.asyncDispose]: server.close,
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let raw = ''
  for await (const chunk of request) raw += String(chunk)
  return JSON.parse(raw || '{}')
}

function readCall(path: string, { headers }: IncomingMessage, body: Record<string, unknown>): EngineCall | null {
  const list = (value: unknown) => (Array.isArray(value) ? value : [value]).map(String)
  const call = { path, headers, body }
  if (path === '/v2/translate')
    return {
      ...{ ...call, engine: 'deepl', texts: list(body.text), source: String(body.source_lang) },
      ...{ target: String(body.target_lang), markup: body.tag_handling !== undefined },
    }
  const shared = { ...call, texts: list(body.q), source: String(body.source), target: String(body.target) }
  // Google takes what has no format for markup.
  if (path === '/language/translate/v2') return { ...shared, engine: 'google', markup: body.format !== 'text' }
  if (path === '/translate') return { ...shared, engine: 'libretranslate', markup: body.format === 'html' }
  return null
}

/** What is wrong with the call itself, as each engine sees it. */
function inherentFault({ engine, headers, texts, target, body }: EngineCall) {
  const bytes = Buffer.byteLength(JSON.stringify(body))
  if (engine === 'deepl') {
    if (headers.authorization !== `DeepL-Auth-Key ${key}`) return { status: 403, body: { message: 'Forbidden' } }
    if (texts.length > 50 || bytes > 131_072) return { status: 413, body: { message: 'Too large' } }
    if (!/^[A-Z]{2}(?:-[A-Z]{2,4})?$/.test(target))
      return { status: 400, body: { message: 'target_lang not supported' } }
  }
  if (engine === 'google') {
    const error = (reason: string, message: string) => ({ error: { code: 400, message, errors: [{ reason }] } })
    if (headers['x-goog-api-key'] !== key) return { status: 400, body: error('badRequest', 'API key not valid.') }
    if (texts.length > 128) return { status: 400, body: error('invalid', 'Too many text segments') }
    if (target === 'ga') return { status: 400, body: error('invalid', 'Bad language pair: en|ga') }
  }
  if (engine === 'libretranslate') {
    if (body.api_key !== undefined && body.api_key !== key) return { status: 403, body: { error: 'Invalid API key' } }
    if (!libreLanguages.includes(target)) return { status: 400, body: { error: `${target} is not supported` } }
  }
  return null
}

function refusal({ engine }: EngineCall, status: number): unknown {
  if (engine === 'deepl') return { message: 'No' }
  if (engine === 'libretranslate') return { error: status === 429 ? 'Slowdown: 10 per 1 minute' : 'No' }
  const reason = { 403: 'dailyLimitExceeded', 429: 'rateLimitExceeded' }[status] ?? 'backendError'
  return { error: { code: status, message: 'No', errors: [{ reason }] } }
}

function shaped({ engine, body }: EngineCall, texts: readonly string[]): unknown {
  if (engine === 'deepl') return { translations: texts.map((text) => ({ detected_source_language: 'EN', text })) }
  if (engine === 'google') return { data: { translations: texts.map((translatedText) => ({ translatedText })) } }
  return { translatedText: Array.isArray(body.q) ? texts : texts[0] }
}

const keptThing = /⟦\d+⟧|<(x|span)\b[^>]*translate="no"[^>]*>[^<]*<\/\1>/

function answered({ texts, target, markup }: EngineCall, fault: EngineFault | null): readonly string[] {
  const code = target.toLowerCase().split('-')[0]
  const said = texts.map((text) => {
    const kept = keptThing.exec(text)?.[0] ?? ''
    if (fault === 'empty') return ''
    const changed =
      fault === 'drop' && kept
        ? text.replace(kept, '')
        : fault === 'double'
          ? text + kept
          : fault === 'swap'
            ? swapped(text)
            : text
    if (fault === 'tags') return `[${code}] <b>${changed}</b>`
    // Quotation marks of a text come back by their numbers, as they do from those who answer markup.
    return `[${code}] ${fault === 'entities' && !markup ? changed.replaceAll("'", '&#39;') : changed}`
  })
  return fault === 'short' ? said.slice(1) : said
}

function swapped(text: string): string {
  const [first, second] = [...text.matchAll(new RegExp(keptThing, 'g'))].map(([found]) => found)
  if (first === undefined || second === undefined) return text
  return text
    .replace(first, '\u0000')
    .replace(second, () => first)
    .replace('\u0000', () => second)
}
