import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ShopSettings, shopSettings } from '#contract/shared/settings.ts'
import {
  dailySpending,
  dueOriginals,
  markQueued,
  queueLengths,
  readMachineState,
  retryFailed,
  withQueue,
} from '#database/translation/queue.ts'
import { type Original, saveOriginalsForIds } from '#database/translation/translations.ts'
import { systemNetwork } from '#server/operations/startup/environment.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import {
  type EngineFault,
  type Engines,
  key,
  translationEngines,
} from '#tests/support/translation/translation-engines.ts'
import { saveTranslation } from '../save-translation.ts'
import type { MachineTools } from './engine-settings.ts'
import { suggestTranslation } from './suggest-translation.ts'
import { enqueueUntranslated, type MachineRun, translateQueue } from './translate-queue.ts'

let server: Engines
let db: TestDatabase
beforeAll(async () => {
  server = await translationEngines()
  db = await aDatabase({ max: 8 })
})
afterAll(async () => {
  await db.close()
  await server.close()
})
let now: Date
beforeEach(() => {
  now = new Date('2026-05-12T09:30:00Z')
  server.calls.length = 0
  server.fail()
  server.failAll(null)
  server.slow(0)
  server.retryAfter(null)
  server.charLimit(null)
})
afterEach(async () => {
  await db.sql`truncate translation_originals, translation_spending restart identity cascade`
  await db.sql`delete from settings`
})

const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
/** Waiting takes no time; a response is awaited for a tenth of a second. */
const clock = {
  now: () => now,
  async sleep(ms: number, signal?: AbortSignal) {
    if (ms !== 30_000) {
      now = new Date(now.getTime() + ms)
      return
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 300)
      signal?.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  },
}
const lines: string[] = []
const log = {
  info: (facts: object, message: string) => void lines.push(`${message} ${JSON.stringify(facts)}`),
  warn: (facts: object, message: string) => void lines.push(`${message} ${JSON.stringify(facts)}`),
  error: (facts: object, message: string) => void lines.push(`${message} ${JSON.stringify(facts)}`),
}

type Machine = Partial<ShopSettings['translation']['machine']>

function aShop(machine: Machine = {}, settings: object = {}): MachineTools {
  return {
    ...{ db, clock, log, network: systemNetwork(['127.0.0.1']), machineKey: key, pageSlugs: () => new Set<string>() },
    chance: { hex: () => '', alphanumeric: () => '', uuid: () => '', fraction: () => 0.5 },
    settings: shopSettings.parse({
      languages: [{ tag: 'de-DE' }],
      translation: { machine: { engine: 'deepl', address: server.url, ...machine } },
      ...settings,
    }),
  }
}

const remember = async (...originals: readonly (string | Original)[]) => {
  // The shop's own interface words were imported.
  await db.sql`insert into translation_seeds (language, file, digest)
    select unnest(array['de-DE', 'fr-FR', 'it-IT']), 'words', '' on conflict do nothing`
  return saveOriginalsForIds(
    db.kysely,
    originals.map((text) => (typeof text === 'string' ? { area: 'content', text } : text)),
    now,
  )
}

const run = (tools: MachineTools, also: readonly string[] = []): Promise<MachineRun> =>
  translateQueue(tools, { until: minutes(2), also })

const kept = async (language = 'de-DE') =>
  (
    await db.sql<{ translated: string; status: number; engine: string }[]>`
      select translated, status, engine from translations where language = ${language} order by original_id`
  ).map(({ translated, status, engine }) => [translated, status, engine])

const faults = async () => (await queueLengths(db.kysely)).map(({ state, fault, count }) => [state, fault, count])

describe('what nobody has translated', () => {
  it('is translated into each published language, and kept as a machine said it', async () => {
    await remember('A cup', { area: 'content', text: 'A <b>blue</b> cup', markup: true })
    const languages = [{ tag: 'de-DE' }, { tag: 'fr-FR', published: false }, { tag: 'en-GB' }]
    const tools = aShop({}, { languages })
    expect(await run(tools)).toMatchObject({ end: 'done', calls: 2, saved: 2, refused: 0 })
    expect(await kept()).toEqual([
      ['[de] A cup', 1, 'deepl'],
      ['[de] A <b>blue</b> cup', 1, 'deepl'],
    ])
    expect(await kept('fr-FR')).toEqual([])
    expect(await kept('en-GB')).toEqual([])
    expect(await run(tools)).toMatchObject({ end: 'done', calls: 0 })
    expect(await run(tools, ['fr-FR'])).toMatchObject({ saved: 2 })
  })

  it('is said of every count alike where it has forms for them', async () => {
    const [id = 0] = (await remember({ area: 'interface', text: '%s items' })).map(Number)
    const tools = aShop({}, { languages: [{ tag: 'de-DE' }, { tag: 'it-IT' }] })
    for (const form of ['one', 'other'] as const)
      await saveTranslation(tools, {
        ...{ originalId: id, language: 'de-DE', form, translated: '%s Artikel' },
        ...{ status: 2, revision: null, by: null },
      })
    await run(tools)
    const rows = await db.sql`select form, translated from translations where language = 'it-IT'`
    expect([...rows]).toEqual([{ form: 'other', translated: '[it] %s items' }])
  })

  it('takes over what a person said of a text that is nearly the same, where the merchant wants that', async () => {
    const text = 'Thrown by hand in a small workshop by the sea, and glazed in four colours.'
    const [id = 0] = (await remember(text)).map(Number)
    const said = { originalId: id, language: 'de-DE', translated: 'Von Hand gedreht.', status: 2 as const }
    await saveTranslation(aShop(), { ...said, revision: null, by: null })
    await remember(text.replace('sea,', 'sea'), text.replace('four', '4'))
    expect(await run(aShop({ similar: true }))).toMatchObject({ calls: 1, saved: 2 })
    expect((await kept()).map(([, ...by]) => by)).toEqual([
      [2, ''],
      [3, 'similar'],
      [1, 'deepl'],
    ])
    await db.sql`delete from translations where status = 3`
    await run(aShop())
    expect((await kept())[1]).toEqual([expect.stringMatching(/^\[de\]/), 1, 'deepl'])
  })

  it('is sent once where several originals say the same, and not at all where it says nothing', async () => {
    const same = { area: 'content', text: 'Open' } as const
    await remember(same, { ...same, context: 'of a shop' }, '24 cm', 'https://a.example/x')
    expect(await run(aShop())).toMatchObject({ calls: 1, saved: 4 })
    expect(server.calls.map(({ texts }) => texts)).toEqual([['Open']])
    expect((await kept()).map(([text]) => text)).toEqual(['[de] Open', '[de] Open', '24 cm', 'https://a.example/x'])
    server.calls.length = 0
    // The sent text is the same; the restored texts differ.
    await remember('Only {a} & more', 'Only {b} & more', 'Only {c}')
    await run(aShop({ engine: 'libretranslate' }))
    expect(server.calls[0]?.texts).toEqual(['Only ⟦1⟧ & more', 'Only ⟦1⟧'])
    expect((await kept()).slice(4).map(([text]) => text)).toEqual([
      '[de] Only {a} & more',
      '[de] Only {b} & more',
      '[de] Only {c}',
    ])
  })

  it('is asked for with the words of the interface in English, whatever the merchant writes in', async () => {
    await remember({ area: 'interface', text: 'Add to cart' }, 'Eine Tasse')
    await run(aShop({}, { language: 'de-DE', languages: [{ tag: 'fr-FR' }] }))
    const pairs = server.calls.map(({ source, target, texts }) => `${source} ${target} ${texts}`)
    expect(pairs.toSorted()).toEqual(['DE FR Eine Tasse', 'EN DE Add to cart', 'EN FR Add to cart'])
    // Texts that an import is about to translate are not sent.
    await db.sql`delete from translation_seeds`
    await db.sql`delete from translations`
    server.calls.length = 0
    await run(aShop({}, { languages: [{ tag: 'fr-FR' }] }))
    expect(server.calls.map(({ texts }) => texts)).toEqual([['Eine Tasse']])
  })

  it('goes in calls of fifty texts and a hundred thousand bytes', async () => {
    await remember(...Array.from({ length: 120 }, (_, at) => `Cup number ${at}`))
    await run(aShop({ charactersPerDay: 10_000_000 }))
    expect(server.calls.map(({ texts }) => texts.length)).toEqual([50, 50, 20])
    server.calls.length = 0
    await remember(...Array.from({ length: 12 }, (_, at) => `${'ж'.repeat(9_000)} ${at}`))
    await run(aShop({ charactersPerDay: 10_000_000 }))
    expect(server.calls.map(({ texts }) => texts.length)).toEqual([5, 5, 2])
  })

  it('goes in calls that a server takes, where it says how much that is', async () => {
    server.charLimit(30)
    await remember(...Array.from({ length: 6 }, (_, at) => `A cup no. ${at}`), 'Far too long for a server like this')
    await run(aShop({ engine: 'libretranslate' }))
    expect(server.calls.map(({ texts }) => texts.length)).toEqual([2, 2, 2])
    expect(await faults()).toEqual([['failed', 'too long', 1]])
  })

  it('stays untouched where a person has said it, also while the call is under way, or has taken it back', async () => {
    const [cup = 0, bowl = 0, jug = 0, pot = 0] = (await remember('A cup', 'A bowl', 'A jug', 'A pot')).map(Number)
    const byPerson = { language: 'de-DE', status: 2, revision: null, by: null } as const
    const tools = aShop()
    await saveTranslation(tools, { ...byPerson, originalId: cup, translated: 'Becher' })
    await saveTranslation(tools, { ...byPerson, originalId: jug, translated: 'Krug' })
    await saveTranslation(tools, { ...byPerson, originalId: jug, translated: '', status: 0 })
    const network: MachineTools['network'] = {
      async fetch(url, init) {
        const answer = await systemNetwork(['127.0.0.1']).fetch(url, init)
        await saveTranslation(tools, { ...byPerson, originalId: bowl, translated: 'Schale' })
        await saveTranslation(tools, { ...byPerson, originalId: pot, translated: 'Topf' })
        await saveTranslation(tools, { ...byPerson, originalId: pot, translated: '', status: 0 })
        return answer
      },
    }
    await run({ ...tools, network })
    expect(server.calls.map(({ texts }) => texts)).toEqual([['A bowl', 'A pot']])
    expect(await kept()).toEqual([
      ['Becher', 2, ''],
      ['Schale', 2, ''],
      ['', 0, ''],
      ['', 0, ''],
    ])
    expect(await faults()).toEqual([])
  })

  it('says the terms of the glossary as they are to be said, and is kept as it is where there is no answer', async () => {
    await remember('Fogline glaze', 'A cup')
    const glossary = [
      { term: 'Fogline', in: {} },
      { term: 'glaze', in: { de: 'Glasur' } },
    ]
    await run(aShop({ glossary }))
    expect((await kept()).map(([text]) => text)).toEqual(['Fogline Glasur', '[de] A cup'])
    server.fail('empty')
    await remember('A bowl')
    await run(aShop())
    expect((await kept()).at(-1)).toEqual(['A bowl', 1, 'deepl'])
  })

  it('is left alone when the engine is off or paused, or lacks what it needs', async () => {
    await remember('A cup')
    const ends = [{ engine: 'off' }, { paused: true }, { engine: 'libretranslate', address: '' }] as const
    for (const [at, end] of (['off', 'paused', 'no-address'] as const).entries())
      expect(await run(aShop(ends[at]))).toMatchObject({ end, calls: 0 })
    expect(await run({ ...aShop(), machineKey: '' })).toMatchObject({ end: 'no-key' })
    expect(server.calls).toEqual([])
  })
})

describe('an answer that cannot be used', () => {
  it.each<[NonNullable<Machine['engine']>, EngineFault]>([
    ['deepl', 'drop'],
    ['google', 'double'],
    ['libretranslate', 'drop'],
    ['libretranslate', 'tags'],
  ])('of %s (%s) is asked for once more, otherwise formatted', async (engine, fault) => {
    await remember('%s cups left')
    server.fail(fault)
    expect(await run(aShop({ engine }))).toMatchObject({ calls: 2, saved: 1, refused: 1 })
    expect(server.calls.map(({ markup }) => markup)).toEqual(
      engine === 'libretranslate' ? [false, true] : [true, false],
    )
    expect((await kept()).map(([text]) => text)).toEqual(['[de] %s cups left'])
  })

  it('is given up after the second time, until somebody says to try again', async () => {
    await remember('%s cups left', 'A bowl')
    server.failAll(({ texts }) => (texts.some((text) => text.includes('cups')) ? 'drop' : null))
    expect(await run(aShop())).toMatchObject({ end: 'done', saved: 1, refused: 2 })
    expect(await faults()).toEqual([['failed', 'text: lost', 1]])
    expect(await run(aShop())).toMatchObject({ calls: 0 })
    server.failAll(null)
    expect(await retryFailed(db.kysely, null, now)).toBe(1)
    expect(await run(aShop())).toMatchObject({ saved: 1 })
  })

  it('is mended where that is safe: entities are decoded, places that changed their order are numbered', async () => {
    await remember("It's %s of %s")
    server.fail('swap')
    await run(aShop({ engine: 'libretranslate' }))
    server.fail('entities')
    await remember("It's here")
    await run(aShop({ engine: 'libretranslate' }))
    expect((await kept()).map(([text]) => text)).toEqual(["[de] It's %2$s of %1$s", "[de] It's here"])
  })
})

describe('an engine that fails', () => {
  it('is asked again after a while, longer each time, and left alone for five minutes after five failures', async () => {
    await remember('A cup')
    server.failAll(() => 500)
    const began = now
    const tools = aShop()
    expect(await translateQueue(tools, { until: minutes(4) })).toMatchObject({ end: 'held', calls: 5, saved: 0 })
    // 5, 10, 20 and 40 seconds.
    expect(now.getTime() - began.getTime()).toBe(75_000)
    expect(await readMachineState(db.kysely)).toMatchObject({ failures: 5, notBefore: minutes(5) })
    const silent = { fetch: async () => Promise.reject(new Error('nobody is to be asked')) }
    expect(await run({ ...tools, network: silent })).toMatchObject({ end: 'held', calls: 0 })
    now = minutes(5)
    // A single trial call is allowed: it fails, and the pause starts again.
    expect(await run(tools)).toMatchObject({ end: 'held', calls: 1 })
    now = minutes(5)
    server.failAll(null)
    expect(await run(tools)).toMatchObject({ end: 'done', calls: 1, saved: 1 })
    expect(await readMachineState(db.kysely)).toMatchObject({ failures: 0, notBefore: null })
  })

  it('is asked again no sooner than it says', async () => {
    await remember('A cup')
    server.fail(429)
    server.retryAfter('45')
    const began = now
    expect(await translateQueue(aShop(), { until: minutes(10) })).toMatchObject({ end: 'done', calls: 2, saved: 1 })
    expect(now.getTime() - began.getTime()).toBe(45_000)
  })

  it('is not asked any more today once its account has nothing left, and tomorrow again', async () => {
    await remember('A cup')
    server.fail(456)
    expect(await run(aShop())).toMatchObject({ end: 'quota', calls: 1, saved: 0 })
    expect(await run(aShop())).toMatchObject({ end: 'quota', calls: 0 })
    now = new Date('2026-05-13T00:00:01Z')
    expect(await run(aShop())).toMatchObject({ end: 'done', saved: 1 })
  })

  it('that does not know the key is left alone at once; another one is asked', async () => {
    await remember('A cup')
    expect(await run({ ...aShop(), machineKey: 'wrong' })).toMatchObject({ end: 'held', calls: 1 })
    expect((await readMachineState(db.kysely)).fault).toBe('key: HTTP 403')
    expect(await run(aShop({ engine: 'google' }))).toMatchObject({ end: 'done', saved: 1 })
  })

  it('that does not speak a language holds up no other', async () => {
    const cups = Array.from({ length: 450 }, (_, at) => `Cup ${at}`)
    await remember(...cups)
    await run(aShop({ charactersPerDay: 0 }, { languages: [{ tag: 'ga-IE' }] }))
    const languages = [{ tag: 'ga-IE' }, { tag: 'de-DE' }]
    expect(await run(aShop({}, { languages }))).toMatchObject({ end: 'done', saved: 450 })
    expect((await readMachineState(db.kysely)).unspoken).toEqual(['en-US>ga-IE'])
    expect((await dailySpending(db.kysely, '2026-05-12', 'deepl')).characters).toBe(cups.join('').length)
    // A language removed from the shop has no waiting texts.
    await run(aShop({}, { languages: [{ tag: 'de-DE' }] }))
    expect(await faults()).toEqual([])
  })

  it('at one text loses no other: those that it does not take go alone, and are given up', async () => {
    await remember('A cup', 'A poison', 'A bowl')
    server.failAll(({ texts }) => (texts.some((text) => text.includes('poison')) ? 400 : null))
    expect(await run(aShop())).toMatchObject({ end: 'done', saved: 2 })
    expect(await faults()).toEqual([['failed', 'refused', 1]])
  })

  it('each time at one text is believed of the text, until the day is over', async () => {
    await remember('A cup', 'A poison')
    server.failAll(({ texts }) => (texts.some((text) => text.includes('poison')) ? 500 : null))
    const tools = aShop()
    for (let at = 0; at < 12; at += 1) {
      await remember(`Cup ${at}`)
      await translateQueue(tools, { until: minutes(20) })
      now = minutes(6)
    }
    expect(await faults()).toEqual([['failed', 'no answer', 1]])
    now = minutes(24 * 60)
    server.failAll(null)
    await run(tools)
    expect(await faults()).toEqual([])
  })

  it('for ever, or with too few texts, is a failure; what was counted stays counted', async () => {
    await remember('A cup', 'A bowl')
    server.fail('hang', 'short')
    expect(await translateQueue(aShop(), { until: minutes(10) })).toMatchObject({ end: 'done', calls: 3, saved: 2 })
    expect(await dailySpending(db.kysely, '2026-05-12', 'deepl')).toEqual({ characters: 3 * 11, calls: 3 })
  })

  it('says nothing of texts and keys in what is logged', async () => {
    lines.length = 0
    await remember('A very secret cup of %s')
    server.fail(500, 'drop', 429)
    await translateQueue(aShop(), { until: minutes(10) })
    expect(lines.length).toBeGreaterThan(2)
    expect(lines.join()).not.toMatch(/secret|a-key/)
    expect(lines[0]).toMatch(/"engine":"deepl","outcome":"failed","texts":1,"characters":\d+,"ms":0/)
  })
})

describe('a day', () => {
  it('has as many characters as the merchant says, to the very last, and begins where the shop is', async () => {
    await remember('12345 abcd', 'äöüß🏺 fghi', 'x')
    const shop = aShop({ charactersPerDay: 20 }, { timeZone: 'Asia/Tokyo' })
    // Characters are counted, not bytes: ten and ten.
    expect(await run(shop)).toMatchObject({ end: 'limit', characters: 20, saved: 2 })
    expect(await dailySpending(db.kysely, '2026-05-12', 'deepl')).toEqual({ characters: 20, calls: 1 })
    now = new Date('2026-05-12T14:59:59Z')
    expect(await run(shop)).toMatchObject({ end: 'limit', calls: 0 })
    now = new Date('2026-05-12T15:00:00Z')
    expect(await run(shop)).toMatchObject({ end: 'done', saved: 1 })
    expect(await dailySpending(db.kysely, '2026-05-13', 'deepl')).toEqual({ characters: 1, calls: 1 })
  })

  it('is not used up by calls that certainly did nothing', async () => {
    await remember('A cup')
    server.fail(500, 429, 500)
    await translateQueue(aShop({ charactersPerDay: 5 }), { until: minutes(10) })
    expect(await dailySpending(db.kysely, '2026-05-12', 'deepl')).toEqual({ characters: 5, calls: 4 })
    expect((await kept()).length).toBe(1)
  })
})

describe('several processes', () => {
  it('leave out what one has put down and a person has translated since', async () => {
    const [id = 0] = (await remember('A cup')).map(Number)
    const tools = aShop()
    await enqueueUntranslated(tools)
    const said = { originalId: id, language: 'de-DE', translated: 'Becher', status: 2 as const }
    await saveTranslation(tools, { ...said, revision: null, by: null })
    expect(await run(tools)).toMatchObject({ end: 'done', calls: 0 })
    expect(await faults()).toEqual([])
  })

  it('send nothing twice, and one call at a time', async () => {
    await remember(...Array.from({ length: 130 }, (_, at) => `Cup ${at}`))
    const [id = 0] = (await remember({ area: 'interface', text: 'Add to cart' })).map(Number)
    server.slow(40)
    const before = server.mostAtOnce()
    const tools = aShop()
    const [one, two, suggestion] = await Promise.all([
      run(tools),
      run(tools),
      suggestTranslation(tools, { originalId: id, language: 'de-DE' }),
    ])
    expect([one?.end, two?.end].toSorted()).toEqual(['busy', 'done'])
    expect(suggestion).toEqual({ ok: true, text: '[de] Add to cart', engine: 'deepl' })
    const sent = server.calls.flatMap(({ texts }) => texts).filter((text) => text.startsWith('Cup'))
    expect(sent.length).toBe(130)
    expect(Math.max(before, server.mostAtOnce())).toBe(1)
  })

  it('take up what one had sent when it died', async () => {
    await remember('A cup')
    const tools = aShop()
    await enqueueUntranslated(tools)
    const due = await dueOriginals(db.kysely, { now, most: 9, wanted: [{ tag: 'de-DE', areas: ['content'] }] })
    await withQueue(db, async () => markQueued(db.kysely, due, { state: 'translating' }))
    expect(await run(tools)).toMatchObject({ end: 'done', saved: 1 })
  })

  it('stop at once when they are told to, and lose nothing', async () => {
    await remember('A cup')
    server.fail('hang')
    const stopping = new AbortController()
    const running = translateQueue(aShop(), { until: minutes(10), stopping: stopping.signal })
    await expect.poll(() => server.calls.length).toBe(1)
    stopping.abort()
    expect(await running).toMatchObject({ end: 'time', saved: 0 })
    expect(await faults()).toEqual([['queued', '', 1]])
    expect((await readMachineState(db.kysely)).failures).toBe(0)
    expect(await run(aShop())).toMatchObject({ saved: 1 })
  })
})

describe('a suggestion', () => {
  it('is counted, keeps nothing, and is not given beyond the day, or of addresses', async () => {
    const [cup = 0, slug = 0] = (await remember('A <b>cup</b>', { area: 'slug', context: 'product', text: 'cup' })).map(
      Number,
    )
    const ask = (machine: Machine, originalId = cup) =>
      suggestTranslation(aShop(machine), { originalId, language: 'de-DE' })
    expect(await ask({ charactersPerDay: 12 })).toEqual({ ok: true, text: '[de] A <b>cup</b>', engine: 'deepl' })
    expect(await kept()).toEqual([])
    expect(await ask({ charactersPerDay: 12 })).toEqual({ ok: false, reason: 'limit' })
    expect(await ask({ paused: true })).toEqual({ ok: false, reason: 'off' })
    expect(await ask({}, slug)).toEqual({ ok: false, reason: 'unknown-original' })
    server.fail(500)
    expect(await ask({})).toEqual({ ok: false, reason: 'failed' })
  })
})
