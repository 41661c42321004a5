import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemNetwork } from '#server/operations/startup/environment.ts'
import { type Engines, key, translationEngines } from '#tests/support/translation/translation-engines.ts'
import { deeplEngine } from './deepl-engine.ts'
import { deeplCode, googleCode, nearestCode } from './engine-languages.ts'
import { googleEngine } from './google-engine.ts'
import { libreTranslateEngine } from './libretranslate-engine.ts'
import type { EngineTools, MachineEngine } from './translation-engine.ts'

let server: Engines
beforeAll(async () => {
  server = await translationEngines()
})
afterAll(() => server.close())
beforeEach(() => {
  server.calls.length = 0
  server.fail()
  server.retryAfter(null)
})

/** Tests do not wait half a minute for a timeout. */
const clock = {
  now: () => new Date('2026-05-12T09:30:00Z'),
  sleep: (_: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 150)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    }),
}
const tools = (change: Partial<EngineTools> = {}): EngineTools => ({
  clock,
  network: systemNetwork(['127.0.0.1']),
  address: server.url,
  key,
  ...change,
})
const engines: readonly [MachineEngine['name'], (tools: EngineTools) => MachineEngine][] = [
  ['deepl', deeplEngine],
  ['google', googleEngine],
  ['libretranslate', libreTranslateEngine],
]
const pair = { from: 'en-US', to: 'de-DE' }

describe.each(engines)('%s', (name, make) => {
  it('translates several texts in their order', async () => {
    const answer = await make(tools()).translate(['A cup', 'Not "this"'], pair, 'text')
    expect(answer).toEqual({ ok: true, texts: ['[de] A cup', '[de] Not "this"'] })
    expect(server.calls).toMatchObject([{ engine: name, texts: ['A cup', 'Not "this"'], markup: false }])
  })

  it('says when it sends markup, and how a single text comes', async () => {
    const answer = await make(tools()).translate(['<g id="1">A</g> cup'], pair, 'markup')
    expect(answer).toEqual({ ok: true, texts: ['[de] <g id="1">A</g> cup'] })
    expect(server.calls).toMatchObject([{ markup: true }])
  })

  it('has the key in no address', async () => {
    await make(tools()).translate(['A cup'], pair, 'text')
    expect(server.calls.map(({ path }) => path).join()).not.toContain(key)
  })

  it.each([
    [429, 'slow-down'],
    [400, 'refused'],
    [500, 'failed'],
    ['short', 'lost'],
    ['garbage', 'lost'],
    ['huge', 'lost'],
    ['hang', 'lost'],
  ] as const)('of %s says %s, and neither text nor key', async (fault, kind) => {
    server.fail(fault)
    const answer = await make(tools()).translate(['A secret cup', 'Another'], pair, 'text')
    expect(answer).toMatchObject({ ok: false, kind })
    expect(JSON.stringify(answer)).not.toMatch(/secret|a-key/)
  })

  it('hands on how long it is to wait', async () => {
    server.fail(429)
    server.retryAfter('17')
    expect(await make(tools()).translate(['A cup'], pair, 'text')).toMatchObject({ retryAfterMs: 17_000 })
  })

  it('says that it does not know the key', async () => {
    const answer = await make(tools({ key: 'another' })).translate(['A cup'], pair, 'text')
    expect(answer).toMatchObject({ ok: false, kind: 'key' })
  })

  it('says of a language that it does not speak it, and of a server that is not there that nothing was done', async () => {
    expect(await make(tools()).translate(['A cup'], { from: 'en', to: 'tlh' }, 'text')).toMatchObject({
      kind: 'language',
    })
    const gone = await translationEngines()
    await gone.close()
    const away = make(tools({ address: gone.url }))
    expect(await away.translate(['A cup'], pair, 'text')).toMatchObject({ kind: 'failed' })
  })
})

describe('what the engines have of their own', () => {
  it('DeepL is told what to leave alone, and its free accounts have a host of their own', async () => {
    await deeplEngine(tools()).translate(['A <x id="1">%s</x>'], { from: 'en-US', to: 'pt-BR' }, 'markup')
    expect(server.calls[0]?.body).toMatchObject({ ignore_tags: ['x'], source_lang: 'EN', target_lang: 'PT-BR' })
    expect(server.calls[0]?.body).not.toHaveProperty('formality')
    await deeplEngine(tools({ formality: 'less' })).translate(['A cup'], pair, 'text')
    expect(server.calls[1]?.body).toMatchObject({ formality: 'prefer_less' })
    const asked: string[] = []
    const network = {
      fetch: async (url: string | URL) => {
        asked.push(new URL(url).host)
        return Response.json({ translations: [{ text: 'Tasse' }] })
      },
    }
    for (const given of ['abc', 'abc:fx'])
      await deeplEngine({ clock, network, address: '', key: given }).translate(['A cup'], pair, 'text')
    expect(asked).toEqual(['api.deepl.com', 'api-free.deepl.com'])
  })

  it('DeepL says by 456, Google by a word that the account has nothing left', async () => {
    server.fail(456, 403)
    expect(await deeplEngine(tools()).translate(['A cup'], pair, 'text')).toMatchObject({ kind: 'quota' })
    expect(await googleEngine(tools()).translate(['A cup'], pair, 'text')).toMatchObject({ kind: 'quota' })
  })

  it('LibreTranslate is asked for its languages once, and needs no key', async () => {
    const asked: string[] = []
    const network = {
      fetch: (url: string | URL, init?: RequestInit) => {
        asked.push(new URL(url).pathname)
        return systemNetwork(['127.0.0.1']).fetch(url, init)
      },
    }
    const engine = libreTranslateEngine(tools({ network, key: '' }))
    for (const to of ['de-DE', 'pt-BR', 'zh-CN']) await engine.translate(['A cup'], { from: 'en-US', to }, 'text')
    expect(asked).toEqual(['/languages', '/translate', '/translate', '/translate'])
    await engine.prepare?.()
    expect(engine.limits).toEqual({ texts: 50, bytes: 100_000 })
    expect(server.calls.map(({ target, body }) => [target, 'api_key' in body])).toEqual([
      ['de', false],
      ['pt-BR', false],
      ['zh-Hans', false],
    ])
  })

  it('each has names of its own for languages', () => {
    const asked = ['en', 'en-AU', 'en-US', 'pt', 'pt-PT', 'zh-TW', 'zh', 'no', 'nb-NO', 'de-CH', 'he', 'ga']
    expect(asked.map((tag) => deeplCode(tag, 'target'))).toEqual(
      'EN-US EN-GB EN-US PT-BR PT-PT ZH-HANT ZH-HANS NB NB DE HE'.split(' ').concat([null as never]),
    )
    expect(asked.map(googleCode)).toEqual('en en en pt pt-PT zh-TW zh-CN no no de he ga'.split(' '))
    const known = ['en', 'pb', 'pt', 'zh', 'zt', 'nb', 'de', 'he']
    expect(asked.map((tag) => nearestCode(tag === 'pt' ? 'pt-BR' : tag, known))).toEqual(
      'en en en pb pt zt zh nb nb de he'.split(' ').concat([null as never]),
    )
    expect(nearestCode('zh-Hant', ['zh', 'zh-Hans'])).toBe(null)
  })
})
