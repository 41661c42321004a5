import { describe, expect, it } from 'vitest'
import { dailySpending, readMachineState } from '#database/translation/queue.ts'
import { aTranslationQueue } from '#tests/support/translation/translation-queue.ts'
import { translateQueue } from './translate-queue.ts'

const queue = aTranslationQueue()

describe('an engine that fails', () => {
  it('is asked again after a while, longer each time, and left alone for five minutes after five failures', async () => {
    await queue.remember('A cup')
    queue.engines.failAll(() => 500)
    const began = queue.now
    const tools = queue.shop()
    expect(await translateQueue(tools, { until: queue.inMinutes(4) })).toMatchObject({
      end: 'held',
      calls: 5,
      saved: 0,
    })
    // 5, 10, 20 and 40 seconds.
    expect(queue.now.getTime() - began.getTime()).toBe(75_000)
    expect(await readMachineState(queue.db.kysely)).toMatchObject({ failures: 5, notBefore: queue.inMinutes(5) })
    const silent = { fetch: async () => Promise.reject(new Error('nobody is to be asked')) }
    expect(await queue.run({ ...tools, network: silent })).toMatchObject({ end: 'held', calls: 0 })
    queue.setTime(queue.inMinutes(5))
    // A single trial call is allowed: it fails, and the pause starts again.
    expect(await queue.run(tools)).toMatchObject({ end: 'held', calls: 1 })
    queue.setTime(queue.inMinutes(5))
    queue.engines.failAll(null)
    expect(await queue.run(tools)).toMatchObject({ end: 'done', calls: 1, saved: 1 })
    expect(await readMachineState(queue.db.kysely)).toMatchObject({ failures: 0, notBefore: null })
  })

  it('is asked again no sooner than it says', async () => {
    await queue.remember('A cup')
    queue.engines.fail(429)
    queue.engines.retryAfter('45')
    const began = queue.now
    expect(await translateQueue(queue.shop(), { until: queue.inMinutes(10) })).toMatchObject({
      end: 'done',
      calls: 2,
      saved: 1,
    })
    expect(queue.now.getTime() - began.getTime()).toBe(45_000)
  })

  it('is not asked any more today once its account has nothing left, and tomorrow again', async () => {
    await queue.remember('A cup')
    queue.engines.fail(456)
    expect(await queue.run(queue.shop())).toMatchObject({ end: 'quota', calls: 1, saved: 0 })
    expect(await queue.run(queue.shop())).toMatchObject({ end: 'quota', calls: 0 })
    queue.setTime('2026-05-13T00:00:01Z')
    expect(await queue.run(queue.shop())).toMatchObject({ end: 'done', saved: 1 })
  })

  it('that does not know the key is left alone at once; another one is asked', async () => {
    await queue.remember('A cup')
    expect(await queue.run({ ...queue.shop(), machineKey: 'wrong' })).toMatchObject({ end: 'held', calls: 1 })
    expect((await readMachineState(queue.db.kysely)).fault).toBe('key: HTTP 403')
    expect(await queue.run(queue.shop({ engine: 'google' }))).toMatchObject({ end: 'done', saved: 1 })
  })

  it('that does not speak a language holds up no other', async () => {
    const cups = Array.from({ length: 450 }, (_, at) => `Cup ${at}`)
    await queue.remember(...cups)
    await queue.run(queue.shop({ charactersPerDay: 0 }, { languages: [{ tag: 'ga-IE' }] }))
    const languages = [{ tag: 'ga-IE' }, { tag: 'de-DE' }]
    expect(await queue.run(queue.shop({}, { languages }))).toMatchObject({ end: 'done', saved: 450 })
    expect((await readMachineState(queue.db.kysely)).unspoken).toEqual(['en-US>ga-IE'])
    expect((await dailySpending(queue.db.kysely, '2026-05-12', 'deepl')).characters).toBe(cups.join('').length)
    // A language removed from the shop has no waiting texts.
    await queue.run(queue.shop({}, { languages: [{ tag: 'de-DE' }] }))
    expect(await queue.faults()).toEqual([])
  })

  it('at one text loses no other: those that it does not take go alone, and are given up', async () => {
    await queue.remember('A cup', 'A poison', 'A bowl')
    queue.engines.failAll(({ texts }) => (texts.some((text) => text.includes('poison')) ? 400 : null))
    expect(await queue.run(queue.shop())).toMatchObject({ end: 'done', saved: 2 })
    expect(await queue.faults()).toEqual([['failed', 'refused', 1]])
  })

  it('each time at one text is believed of the text, until the day is over', async () => {
    await queue.remember('A cup', 'A poison')
    queue.engines.failAll(({ texts }) => (texts.some((text) => text.includes('poison')) ? 500 : null))
    const tools = queue.shop()
    for (let at = 0; at < 12; at += 1) {
      await queue.remember(`Cup ${at}`)
      await translateQueue(tools, { until: queue.inMinutes(20) })
      queue.setTime(queue.inMinutes(6))
    }
    expect(await queue.faults()).toEqual([['failed', 'no answer', 1]])
    queue.setTime(queue.inMinutes(24 * 60))
    queue.engines.failAll(null)
    await queue.run(tools)
    expect(await queue.faults()).toEqual([])
  })

  it('for ever, or with too few texts, is a failure; what was counted stays counted', async () => {
    await queue.remember('A cup', 'A bowl')
    queue.engines.fail('hang', 'short')
    expect(await translateQueue(queue.shop(), { until: queue.inMinutes(10) })).toMatchObject({
      end: 'done',
      calls: 3,
      saved: 2,
    })
    expect(await dailySpending(queue.db.kysely, '2026-05-12', 'deepl')).toEqual({ characters: 3 * 11, calls: 3 })
  })

  it('says nothing of texts and keys in what is logged', async () => {
    await queue.remember('A very secret cup of %s')
    queue.engines.fail(500, 'drop', 429)
    await translateQueue(queue.shop(), { until: queue.inMinutes(10) })
    expect(queue.logged.length).toBeGreaterThan(2)
    expect(queue.logged.join()).not.toMatch(/secret|a-key/)
    expect(queue.logged[0]).toMatch(/"engine":"deepl","outcome":"failed","texts":1,"characters":\d+,"ms":0/)
  })
})
