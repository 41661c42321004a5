import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shopSettings } from '#contract/shared/settings.ts'
import type { QueuedOriginal } from '#database/translation/queue.ts'
import { engineFault, lengthOf, planCall, refusedFault, textFault } from './plan-batch.ts'

const settings = shopSettings.parse({
  translation: { machine: { glossary: [{ term: 'glaze', in: { de: 'Glasur', 'pt-BR': 'esmalte' } }] } },
})
const engine = { limits: { texts: 5, bytes: 400 }, keeps: { plain: 'text', element: 'span' } } as const

const original = (change: Partial<QueuedOriginal>): QueuedOriginal => ({
  ...{ originalId: 1, language: 'de-DE', area: 'content', original: 'A cup', markup: false, counted: false },
  ...{ attempts: 0, fault: '' },
  ...change,
})

const waiting = fc.array(
  fc.record({
    originalId: fc.nat(),
    language: fc.constantFrom('de-DE', 'fr-FR'),
    area: fc.constantFrom<'interface' | 'content'>('interface', 'content'),
    original: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 90 }), fc.constantFrom('%s', 'A %s', 'x'.repeat(500))),
    markup: fc.boolean(),
    counted: fc.constant(false),
    attempts: fc.nat(6),
    fault: fc.constantFrom('', textFault('lost'), engineFault, refusedFault),
  }),
  { maxLength: 30 },
)

describe('a call', () => {
  it('holds one pair of languages in one form, no more than the engine takes, and no more than the day has', () => {
    fc.assert(
      fc.property(waiting, fc.nat(200), (due, left) => {
        const { batch, unspoken, tooLong, beyondDay } = planCall(due, engine, settings, left)
        const sent = batch?.texts.map((text) => text.sent) ?? []
        const originals = batch?.texts.flatMap(({ of }) => of.map((one) => one.original)) ?? []
        expect(new Set(originals.map(({ language, area }) => `${language} ${area}`)).size).toBeLessThan(2)
        expect(new Set(sent).size).toBe(sent.length)
        expect(sent.length).toBeLessThanOrEqual(5)
        expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThanOrEqual(400)
        expect(batch?.characters ?? 0).toBe(sent.reduce((sum, text) => sum + lengthOf(text), 0))
        expect(batch?.characters ?? 0).toBeLessThanOrEqual(left)
        // Every plan makes progress: otherwise the queue would never end.
        if (due.length > 0) expect(originals.length + unspoken.length + tooLong.length + Number(beyondDay)).not.toBe(0)
      }),
      { numRuns: 300 },
    )
  })

  it('leaves a text alone that an engine did not take, or failed at again and again', () => {
    const alone = [
      original({ fault: refusedFault, attempts: 1, original: 'A poison' }),
      original({ fault: engineFault, attempts: 3, original: 'A stone' }),
    ]
    const others = [original({}), original({ original: 'A bowl' }), original({ fault: engineFault, attempts: 2 })]
    const sent = (due: readonly QueuedOriginal[]) =>
      planCall(due, engine, settings, 100).batch?.texts.map((text) => text.sent)
    expect(sent([...alone, ...others])).toEqual(['A poison'])
    expect(sent([...others, ...alone])).toEqual(['A cup', 'A bowl'])
    expect(sent([...alone.slice(1), ...others])).toEqual(['A stone'])
  })

  it('says terms by the language, or by its nearest relation', () => {
    const said = (language: string) =>
      planCall([original({ language, original: 'glaze' })], engine, settings, 100).unspoken[0]?.translated
    expect(['de-DE', 'de-AT', 'pt-PT', 'fr-FR'].map(said)).toEqual(['Glasur', 'Glasur', 'esmalte', undefined])
  })
})
