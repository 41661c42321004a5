import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfiguration, writeSettings } from '#database/operations/configuration.ts'
import { queueLengths } from '#database/translation/queue.ts'
import { saveOriginals } from '#database/translation/translations.ts'
import { systemClock } from '#server/operations/startup/environment.ts'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommandWith } from '#tests/support/process/command.ts'
import { type Engines, key, translationEngines } from '#tests/support/translation/translation-engines.ts'
import { machineCommand } from './machine.ts'

let server: Engines
let db: TestDatabase
beforeAll(async () => {
  server = await translationEngines()
  db = await aDatabase()
})
afterAll(async () => {
  await db.close()
  await server.close()
})

const now = new Date('2026-05-12T09:30:00Z')
beforeEach(async () => {
  server.failAll(null)
  await setUp({})
  const texts = ['A cup', 'A bowl', '%s cups', '24 cm']
  await saveOriginals(
    db.kysely,
    texts.map((text) => ({ area: 'content', text })),
    now,
  )
})
afterEach(async () => {
  await db.sql`truncate translation_originals, translation_spending cascade`
  await db.sql`delete from settings`
})

const setUp = (machine: object) =>
  writeSettings(db, {
    languages: [{ tag: 'de-DE' }, { tag: 'fr-FR', published: false }],
    translation: { machine: { engine: 'deepl', address: server.url, charactersPerDay: 1000, ...machine } },
  })

// Waiting for a pause takes no time, waiting for an answer does.
const clock = { now: () => now, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms, signal) }
const machine = (...args: string[]) => runCommandWith({ clock, machineKey: key }, machineCommand, db, ...args)

describe('the command machine', () => {
  it('says what translating would come to, and sends and writes nothing for it', async () => {
    const { code, out, err } = await machine('run', '--dry-run')
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 'Language  Texts  Characters\nde-DE         3          47',
      err: '47 characters would be sent, of 1,000 a day. Nothing was sent.',
    })
    expect(server.calls).toEqual([])
    expect(await queueLengths(db.kysely)).toEqual([])
    expect((await machine('run', '--dry-run', '--language', 'fr-FR')).out).toContain('fr-FR')
  })

  it('translates at once, also into a language that nobody sees yet, and says what it came to', async () => {
    expect(await machine('run', '--language', 'fr-FR')).toMatchObject({
      code: 0,
      err: 'Translated 4 texts: 47 characters in 2 calls.',
    })
    expect((await machine('status')).out).toBe(
      [
        'Engine   DeepL',
        'Today    47 of 1,000 characters, 2 calls',
        'Answers  well',
        '',
        'Language  Waiting  Characters  Failed',
        'de-DE           4          23       0',
      ].join('\n'),
    )
    expect(await machine('run', '--language', 'it-IT')).toMatchObject({
      code: 2,
      err: 'Error: unknown language "it-IT". Choose one of: en-US, de-DE, fr-FR.',
    })
  })

  it('tells what failed and why, and lets it be tried again', async () => {
    server.failAll(() => 'drop')
    expect(await machine('run')).toMatchObject({ code: 0 })
    expect((await machine('status')).out).toMatch(/^de-DE\s+0\s+0\s+1 {2}text: lost \(1\)$/m)
    expect(JSON.parse((await machine('status', '--json')).out)).toMatchObject({
      engine: 'deepl',
      ready: 'yes',
      languages: [{ language: 'de-DE', waiting: 0, failed: [{ fault: 'text: lost', count: 1 }] }],
    })
    server.failAll(null)
    expect(await machine('retry')).toMatchObject({
      err: 'Queued 1 text again. The running shop retries within a minute.',
    })
    expect(await machine('retry')).toMatchObject({ err: 'No text has failed.' })
    expect(await machine('run')).toMatchObject({ code: 0, err: expect.stringContaining('Translated 1 text') })
  })

  it('pauses and goes on, and says what is missing', async () => {
    await machine('pause')
    expect((await machine('status')).out).toContain('DeepL, paused')
    expect(await machine('run')).toMatchObject({
      code: 1,
      err: 'Error: machine translation is paused. Resume it: machine resume',
    })
    await machine('resume')
    expect((await readConfiguration(db)).settings.translation).toMatchObject({ machine: { paused: false } })
    await setUp({ engine: 'libretranslate', address: '' })
    expect(await machine('run')).toMatchObject({ code: 1, err: expect.stringContaining('the engine has no address') })
    expect((await machine('status')).err).toContain('the engine has no address')
  })

  it('tells until when an engine is left alone, and why', async () => {
    expect(await runCommandWith({ clock, machineKey: 'wrong' }, machineCommand, db, 'run')).toMatchObject({ code: 1 })
    expect((await machine('status')).out).toContain('paused until 09:35 UTC after 5 failures (key: HTTP 403)')
  })
})
