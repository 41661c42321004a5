import { describe, expect, it } from 'vitest'
import { aTranslationQueue, type MachineSettings } from '#tests/support/translation/translation-queue.ts'
import { suggestTranslation } from './suggest-translation.ts'

const queue = aTranslationQueue()

describe('a suggestion', () => {
  it('is counted, keeps nothing, and is not given beyond the day, or of addresses', async () => {
    const [cup = 0, slug = 0] = (
      await queue.remember('A <b>cup</b>', { area: 'slug', context: 'product', text: 'cup' })
    ).map(Number)
    const ask = (machine: MachineSettings, originalId = cup) =>
      suggestTranslation(queue.shop(machine), { originalId, language: 'de-DE' })
    expect(await ask({ charactersPerDay: 12 })).toEqual({ ok: true, text: '[de] A <b>cup</b>', engine: 'deepl' })
    expect(await queue.kept()).toEqual([])
    expect(await ask({ charactersPerDay: 12 })).toEqual({ ok: false, reason: 'limit' })
    expect(await ask({ paused: true })).toEqual({ ok: false, reason: 'off' })
    expect(await ask({}, slug)).toEqual({ ok: false, reason: 'unknown-original' })
    queue.engines.fail(500)
    expect(await ask({})).toEqual({ ok: false, reason: 'failed' })
  })
})
