import { describe, expect, it } from 'vitest'
import { parseJson } from './parse-json.ts'

describe('a JSON body', () => {
  it('is read as it is when it is fine', () => {
    const fine = { a: 'x:"y"', 'b"': [{ a: 1 }, { a: 2 }], c: { a: null, e: '\u{1F600}' } }
    expect(parseJson(JSON.stringify(fine))).toEqual(fine)
    expect(parseJson(' \n')).toEqual({})
  })

  it.each([
    ['a name given twice', '{"a":1,"a":2}', /duplicate field/],
    ['a name given twice, once escaped', '{"a":1,"\\u0061" \n\t :2}', /duplicate field/],
    ['a name given twice deep inside', '{"x":[{"a":{"b":1,"b":1}}]}', /duplicate field/],
    ['__proto__', '{"__proto__":{"admin":true}}', /forbidden field name/],
    ['an escaped __proto__', '{"\\u005f_proto__":1}', /forbidden field name/],
    ['constructor, nested', '{"a":{"constructor":{"prototype":1}}}', /forbidden field name/],
    ['a length that cannot be compared', '{"a":{"length":{"toString":"x"}}}', /forbidden field name/],
    ['21 levels', `${'{"a":'.repeat(21)}1${'}'.repeat(21)}`, /too deep/],
    ['a NUL in a text', '{"a":"\\u0000"}', /invalid characters/],
    ['a NUL in a name', '{"\\u0000":1}', /invalid characters/],
    ['half of a character', '{"a":"\\ud800"}', /invalid characters/],
    ['an array', '[{"a":1}]', /not an object/],
    ['null', 'null', /not an object/],
    ['a text', '"a"', /not an object/],
    ['half of it', '{"a":', /not valid/],
    ['a text that never ends', '{"a', /not valid/],
    ['a bad escape in a name', '{"\\x":1}', /not valid/],
    ['two of them', '{}{}', /not valid/],
  ])('T24 is refused with %s', (_, text, why) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ status: 400, message: expect.stringMatching(why) }))
  })

  it('M9 of the largest size takes no time worth mentioning, whatever is in it', () => {
    const size = 256 * 1024
    for (const text of [
      `{"${'\\"'.repeat(size / 2)}`,
      '"'.repeat(size),
      `{"a":"${' '.repeat(size)}`,
      `{"a"${' '.repeat(size)}`,
      '{"a":['.repeat(size / 6),
      `{${Array.from({ length: 20_000 }, (_, index) => `"${index}":1`).join()}}`,
    ]) {
      const { user } = process.cpuUsage()
      try {
        parseJson(text)
      } catch {
        // Only the duration matters, not the result.
      }
      expect((process.cpuUsage().user - user) / 1000).toBeLessThan(200)
    }
  })
})
