import type { Schema } from './targets.ts'

export type Dice = (sides: number) => number
export const oneOf = <Item>(roll: Dice, items: readonly Item[]): Item => items[roll(items.length)] as Item // there is one at each
export const sometimes = (roll: Dice, percent: number) => roll(100) < percent

/** A tag that no page has: where it comes back as markup, something was not escaped. */
export const mark = '<fuzz-mark>'

const half = String.fromCharCode(0xd800)
const numbers = [
  '0',
  '-0',
  '-1',
  '1',
  '1.5',
  '-1.5',
  '1e3',
  '1e309',
  'NaN',
  'Infinity',
  '0x10',
  ' 1 ',
  '01',
  '1,000',
  '٣',
  '½',
  '32767',
  '32768',
  '2147483647',
  '2147483648',
  '-2147483649',
  '4294967296',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '999999999999999',
  `1${'0'.repeat(40)}`,
  '9'.repeat(400),
] as const
const texts = [
  '',
  ' ',
  '\t\r\n',
  '\0',
  'a\0b',
  half,
  `a${half}b`,
  '\u202E\u2066abc\u2069',
  '\uFEFF',
  '\uFFFD',
  '\uFFFE\uFFFF',
  '\u0085\u2028',
  'e\u0301'.repeat(40),
  '\u{1F469}\u200D\u{1F467}'.repeat(20),
  `${mark}`,
  `"'>${mark}`,
  `';--`,
  `\\`,
  '%',
  '%_%',
  '%00',
  '%zz',
  '%s%n$1\\1',
  '../../../../etc/passwd',
  '..\\..\\',
  'file:///etc/passwd',
  '//evil.example/',
  'https://evil.example/',
  '\\\\evil.example',
  'javascript:alert(1)',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '[]',
  '{}',
  '[object Object]',
  'null',
  'undefined',
  'true',
  '(((((',
  '*',
  '.',
  '+'.repeat(60),
  'a|b&c!(d)',
  ':*',
  '<->',
  '2026-13-45',
  '0000-00-00',
  '2026-02-30T25:61:61',
  '275760-09-13',
  '-1-1-1',
  'x'.repeat(199),
  'x'.repeat(200),
  'x'.repeat(201),
  'x'.repeat(2001),
  'x'.repeat(7000),
  '🙂'.repeat(2000),
  'a@b',
  `${'a'.repeat(300)}@b.test`,
  'US',
  'us',
  'ZZ',
  'US:CA',
  'de-DE',
  'xx-XX',
  'EUR',
  'XXX',
] as const

/** Values that nothing of ours sends. What is no text can only stand in JSON; a form says it in brackets. */
export function hostile(roll: Dice, depth = 0): unknown {
  switch (roll(depth > 2 ? 4 : 7)) {
    case 0:
      return oneOf(roll, numbers)
    case 1:
    case 2:
      return oneOf(roll, texts)
    case 3:
      return oneOf(roll, [0, -1, 1.5, 1e308, 2 ** 31, 2 ** 53, -(2 ** 63), true, false, null])
    case 4:
      return Array.from({ length: oneOf(roll, [0, 1, 2, 30, 300]) }, () => oneOf(roll, texts))
    case 5:
      return Object.fromEntries(
        Array.from({ length: 1 + roll(4) }, (_, index) => [
          oneOf(roll, ['toString', 'length', 'valueOf', 'then', 'id', '0', `k${index}`]),
          hostile(roll, depth + 1),
        ]),
      )
    default:
      return 'x'.repeat(oneOf(roll, [1000, 2000, 2001, 10_000, 65_537, 150_000]))
  }
}

const bounded = (low: number | undefined, high: number | undefined) =>
  [low, high].flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1]))

/** A value as a declaration wants it, or as near as can be. @param known what the shop really has */
export function nearly(roll: Dice, schema: Schema, known: readonly unknown[]): unknown {
  if (schema.anyOf?.length) return nearly(roll, oneOf(roll, schema.anyOf), known)
  if (schema.const !== undefined) return schema.const
  if (schema.enum?.length) return oneOf(roll, schema.enum)
  switch (schema.type) {
    case 'integer':
    case 'number':
      return oneOf(roll, [
        1,
        2,
        String(roll(50)),
        roll(2000),
        ...bounded(schema.minimum, schema.maximum),
        ...known.filter((one) => typeof one === 'number'),
      ])
    case 'boolean':
      return sometimes(roll, 50)
    case 'string':
      return oneOf(roll, [
        ...known.filter((one) => typeof one === 'string'),
        'Oak',
        ...bounded(0, schema.maxLength)
          .filter((length) => length > 0)
          .map((length) => 'x'.repeat(Math.min(length, 300_000))),
      ])
    case 'array': {
      const length = oneOf(roll, [0, 1, 2, 3, ...bounded(undefined, schema.maxItems)])
      return Array.from({ length: Math.min(length, 1100) }, () => nearly(roll, schema.items ?? {}, known))
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? { a: {} })
          .filter(() => sometimes(roll, 80))
          .map(([name, inner]) => [name, sometimes(roll, 15) ? hostile(roll, 1) : nearly(roll, inner, known)]),
      )
    default:
      return sometimes(roll, 75) ? oneOf(roll, known) : hostile(roll)
  }
}
