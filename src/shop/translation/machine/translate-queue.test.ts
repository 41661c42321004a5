import { describe, expect, it } from 'vitest'
import { dueOriginals, markQueued, readMachineState, retryFailed, withQueue } from '#database/translation/queue.ts'
import { systemNetwork } from '#server/operations/startup/environment.ts'
import type { EngineFault } from '#tests/support/translation/translation-engines.ts'
import { aTranslationQueue, type MachineSettings } from '#tests/support/translation/translation-queue.ts'
import { saveTranslation } from '../save-translation.ts'
import type { MachineTools } from './engine-settings.ts'
import { suggestTranslation } from './suggest-translation.ts'
import { enqueueUntranslated, translateQueue } from './translate-queue.ts'

const queue = aTranslationQueue()

describe('what nobody has translated', () => {
  it('is translated into each published language, and kept as a machine said it', async () => {
    await queue.remember('A cup', { area: 'content', text: 'A <b>blue</b> cup', markup: true })
    const languages = [{ tag: 'de-DE' }, { tag: 'fr-FR', published: false }, { tag: 'en-GB' }]
    const tools = queue.shop({}, { languages })
    expect(await queue.run(tools)).toMatchObject({ end: 'done', calls: 2, saved: 2, refused: 0 })
    expect(await queue.kept()).toEqual([
      ['[de] A cup', 1, 'deepl'],
      ['[de] A <b>blue</b> cup', 1, 'deepl'],
    ])
    expect(await queue.kept('fr-FR')).toEqual([])
    expect(await queue.kept('en-GB')).toEqual([])
    expect(await queue.run(tools)).toMatchObject({ end: 'done', calls: 0 })
    expect(await queue.run(tools, ['fr-FR'])).toMatchObject({ saved: 2 })
  })

  it('is said of every count alike where it has forms for them', async () => {
    const [id = 0] = (await queue.remember({ area: 'interface', text: '%s items' })).map(Number)
    const tools = queue.shop({}, { languages: [{ tag: 'de-DE' }, { tag: 'it-IT' }] })
    for (const form of ['one', 'other'] as const)
      await saveTranslation(tools, {
        ...{ originalId: id, language: 'de-DE', form, translated: '%s Artikel' },
        ...{ status: 2, revision: null, by: null },
      })
    await queue.run(tools)
    const rows = await queue.db.sql`select form, translated from translations where language = 'it-IT'`
    expect([...rows]).toEqual([{ form: 'other', translated: '[it] %s items' }])
  })

  it('takes over what a person said of a text that is nearly the same, where the merchant wants that', async () => {
    const text = 'Thrown by hand in a small workshop by the sea, and glazed in four colours.'
    const [id = 0] = (await queue.remember(text)).map(Number)
    const said = { originalId: id, language: 'de-DE', translated: 'Von Hand gedreht.', status: 2 as const }
    await saveTranslation(queue.shop(), { ...said, revision: null, by: null })
    await queue.remember(text.replace('sea,', 'sea'), text.replace('four', '4'))
    expect(await queue.run(queue.shop({ similar: true }))).toMatchObject({ calls: 1, saved: 2 })
    expect((await queue.kept()).map(([, ...by]) => by)).toEqual([
      [2, ''],
      [3, 'similar'],
      [1, 'deepl'],
    ])
    await queue.db.sql`delete from translations where status = 3`
    await queue.run(queue.shop())
    expect((await queue.kept())[1]).toEqual([expect.stringMatching(/^\[de\]/), 1, 'deepl'])
  })

  it('is sent once where several originals say the same, and not at all where it says nothing', async () => {
    const same = { area: 'content', text: 'Open' } as const
    await queue.remember(same, { ...same, context: 'of a shop' }, '24 cm', 'https://a.example/x')
    expect(await queue.run(queue.shop())).toMatchObject({ calls: 1, saved: 4 })
    expect(queue.engines.calls.map(({ texts }) => texts)).toEqual([['Open']])
    expect((await queue.kept()).map(([text]) => text)).toEqual([
      '[de] Open',
      '[de] Open',
      '24 cm',
      'https://a.example/x',
    ])
    queue.engines.calls.length = 0
    // The sent text is the same; the restored texts differ.
    await queue.remember('Only {a} & more', 'Only {b} & more', 'Only {c}')
    await queue.run(queue.shop({ engine: 'libretranslate' }))
    expect(queue.engines.calls[0]?.texts).toEqual(['Only ⟦1⟧ & more', 'Only ⟦1⟧'])
    expect((await queue.kept()).slice(4).map(([text]) => text)).toEqual([
      '[de] Only {a} & more',
      '[de] Only {b} & more',
      '[de] Only {c}',
    ])
  })

  it('is asked for with the words of the interface in English, whatever the merchant writes in', async () => {
    await queue.remember({ area: 'interface', text: 'Add to cart' }, 'Eine Tasse')
    await queue.run(queue.shop({}, { language: 'de-DE', languages: [{ tag: 'fr-FR' }] }))
    const pairs = queue.engines.calls.map(({ source, target, texts }) => `${source} ${target} ${texts}`)
    expect(pairs.toSorted()).toEqual(['DE FR Eine Tasse', 'EN DE Add to cart', 'EN FR Add to cart'])
    // Texts that an import is about to translate are not sent.
    await queue.db.sql`delete from translation_seeds`
    await queue.db.sql`delete from translations`
    queue.engines.calls.length = 0
    await queue.run(queue.shop({}, { languages: [{ tag: 'fr-FR' }] }))
    expect(queue.engines.calls.map(({ texts }) => texts)).toEqual([['Eine Tasse']])
  })

  it('goes in calls of fifty texts and a hundred thousand bytes', async () => {
    await queue.remember(...Array.from({ length: 120 }, (_, at) => `Cup number ${at}`))
    await queue.run(queue.shop({ charactersPerDay: 10_000_000 }))
    expect(queue.engines.calls.map(({ texts }) => texts.length)).toEqual([50, 50, 20])
    queue.engines.calls.length = 0
    await queue.remember(...Array.from({ length: 12 }, (_, at) => `${'ж'.repeat(9_000)} ${at}`))
    await queue.run(queue.shop({ charactersPerDay: 10_000_000 }))
    expect(queue.engines.calls.map(({ texts }) => texts.length)).toEqual([5, 5, 2])
  })

  it('goes in calls that a server takes, where it says how much that is', async () => {
    queue.engines.charLimit(30)
    await queue.remember(
      ...Array.from({ length: 6 }, (_, at) => `A cup no. ${at}`),
      'Far too long for a server like this',
    )
    await queue.run(queue.shop({ engine: 'libretranslate' }))
    expect(queue.engines.calls.map(({ texts }) => texts.length)).toEqual([2, 2, 2])
    expect(await queue.faults()).toEqual([['failed', 'too long', 1]])
  })

  it('stays untouched where a person has said it, also while the call is under way, or has taken it back', async () => {
    const [cup = 0, bowl = 0, jug = 0, pot = 0] = (await queue.remember('A cup', 'A bowl', 'A jug', 'A pot')).map(
      Number,
    )
    const byPerson = { language: 'de-DE', status: 2, revision: null, by: null } as const
    const tools = queue.shop()
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
    await queue.run({ ...tools, network })
    expect(queue.engines.calls.map(({ texts }) => texts)).toEqual([['A bowl', 'A pot']])
    expect(await queue.kept()).toEqual([
      ['Becher', 2, ''],
      ['Schale', 2, ''],
      ['', 0, ''],
      ['', 0, ''],
    ])
    expect(await queue.faults()).toEqual([])
  })

  it('says the terms of the glossary as they are to be said, and is kept as it is where there is no answer', async () => {
    await queue.remember('Fogline glaze', 'A cup')
    const glossary = [
      { term: 'Fogline', in: {} },
      { term: 'glaze', in: { de: 'Glasur' } },
    ]
    await queue.run(queue.shop({ glossary }))
    expect((await queue.kept()).map(([text]) => text)).toEqual(['Fogline Glasur', '[de] A cup'])
    queue.engines.fail('empty')
    await queue.remember('A bowl')
    await queue.run(queue.shop())
    expect((await queue.kept()).at(-1)).toEqual(['A bowl', 1, 'deepl'])
  })

  it('is left alone when the engine is off or paused, or lacks what it needs', async () => {
    await queue.remember('A cup')
    const ends = [{ engine: 'off' }, { paused: true }, { engine: 'libretranslate', address: '' }] as const
    for (const [at, end] of (['off', 'paused', 'no-address'] as const).entries())
      expect(await queue.run(queue.shop(ends[at]))).toMatchObject({ end, calls: 0 })
    expect(await queue.run({ ...queue.shop(), machineKey: '' })).toMatchObject({ end: 'no-key' })
    expect(queue.engines.calls).toEqual([])
  })
})

describe('an answer that cannot be used', () => {
  it.each<[NonNullable<MachineSettings['engine']>, EngineFault]>([
    ['deepl', 'drop'],
    ['google', 'double'],
    ['libretranslate', 'drop'],
    ['libretranslate', 'tags'],
  ])('of %s (%s) is asked for once more, otherwise formatted', async (engine, fault) => {
    await queue.remember('%s cups left')
    queue.engines.fail(fault)
    expect(await queue.run(queue.shop({ engine }))).toMatchObject({ calls: 2, saved: 1, refused: 1 })
    expect(queue.engines.calls.map(({ markup }) => markup)).toEqual(
      engine === 'libretranslate' ? [false, true] : [true, false],
    )
    expect((await queue.kept()).map(([text]) => text)).toEqual(['[de] %s cups left'])
  })

  it('is given up after the second time, until somebody says to try again', async () => {
    await queue.remember('%s cups left', 'A bowl')
    queue.engines.failAll(({ texts }) => (texts.some((text) => text.includes('cups')) ? 'drop' : null))
    expect(await queue.run(queue.shop())).toMatchObject({ end: 'done', saved: 1, refused: 2 })
    expect(await queue.faults()).toEqual([['failed', 'text: lost', 1]])
    expect(await queue.run(queue.shop())).toMatchObject({ calls: 0 })
    queue.engines.failAll(null)
    expect(await retryFailed(queue.db.kysely, null, queue.now)).toBe(1)
    expect(await queue.run(queue.shop())).toMatchObject({ saved: 1 })
  })

  it('is mended where that is safe: entities are decoded, places that changed their order are numbered', async () => {
    await queue.remember("It's %s of %s")
    queue.engines.fail('swap')
    await queue.run(queue.shop({ engine: 'libretranslate' }))
    queue.engines.fail('entities')
    await queue.remember("It's here")
    await queue.run(queue.shop({ engine: 'libretranslate' }))
    expect((await queue.kept()).map(([text]) => text)).toEqual(["[de] It's %2$s of %1$s", "[de] It's here"])
  })
})

describe('several processes', () => {
  it('leave out what one has put down and a person has translated since', async () => {
    const [id = 0] = (await queue.remember('A cup')).map(Number)
    const tools = queue.shop()
    await enqueueUntranslated(tools)
    const said = { originalId: id, language: 'de-DE', translated: 'Becher', status: 2 as const }
    await saveTranslation(tools, { ...said, revision: null, by: null })
    expect(await queue.run(tools)).toMatchObject({ end: 'done', calls: 0 })
    expect(await queue.faults()).toEqual([])
  })

  it('send nothing twice, and one call at a time', async () => {
    await queue.remember(...Array.from({ length: 130 }, (_, at) => `Cup ${at}`))
    const [id = 0] = (await queue.remember({ area: 'interface', text: 'Add to cart' })).map(Number)
    queue.engines.slow(40)
    const before = queue.engines.mostAtOnce()
    const tools = queue.shop()
    const [one, two, suggestion] = await Promise.all([
      queue.run(tools),
      queue.run(tools),
      suggestTranslation(tools, { originalId: id, language: 'de-DE' }),
    ])
    expect([one?.end, two?.end].toSorted()).toEqual(['busy', 'done'])
    expect(suggestion).toEqual({ ok: true, text: '[de] Add to cart', engine: 'deepl' })
    const sent = queue.engines.calls.flatMap(({ texts }) => texts).filter((text) => text.startsWith('Cup'))
    expect(sent.length).toBe(130)
    expect(Math.max(before, queue.engines.mostAtOnce())).toBe(1)
  })

  it('take up what one had sent when it died', async () => {
    await queue.remember('A cup')
    const tools = queue.shop()
    await enqueueUntranslated(tools)
    const due = await dueOriginals(queue.db.kysely, {
      now: queue.now,
      most: 9,
      wanted: [{ tag: 'de-DE', areas: ['content'] }],
    })
    await withQueue(queue.db, async () => markQueued(queue.db.kysely, due, { state: 'translating' }))
    expect(await queue.run(tools)).toMatchObject({ end: 'done', saved: 1 })
  })

  it('stop at once when they are told to, and lose nothing', async () => {
    await queue.remember('A cup')
    queue.engines.fail('hang')
    const stopping = new AbortController()
    const running = translateQueue(queue.shop(), { until: queue.inMinutes(10), stopping: stopping.signal })
    await expect.poll(() => queue.engines.calls.length).toBe(1)
    stopping.abort()
    expect(await running).toMatchObject({ end: 'time', saved: 0 })
    expect(await queue.faults()).toEqual([['queued', '', 1]])
    expect((await readMachineState(queue.db.kysely)).failures).toBe(0)
    expect(await queue.run(queue.shop())).toMatchObject({ saved: 1 })
  })
})
