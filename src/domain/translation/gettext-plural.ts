import { formsOf } from './exchange.ts'

/** Plural expressions of gettext: indexes of the language's categories, in their order. */
const rules: readonly { readonly expression: string; of(n: number): number }[] = [
  { expression: '0', of: () => 0 },
  { expression: 'n != 1', of: (n) => (n !== 1 ? 1 : 0) },
  { expression: 'n > 1', of: (n) => (n > 1 ? 1 : 0) },
  {
    expression: 'n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2',
    of: (n) => (n === 1 ? 0 : n !== 0 && n % 1e6 === 0 ? 1 : 2),
  },
  { expression: 'n < 2 ? 0 : n % 1000000 == 0 ? 1 : 2', of: (n) => (n < 2 ? 0 : n % 1e6 === 0 ? 1 : 2) },
  {
    expression:
      'n % 10 == 1 && n % 100 != 11 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2',
    of: (n) =>
      n % 10 === 1 && n % 100 !== 11 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2,
  },
  {
    expression: 'n == 1 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2',
    of: (n) => (n === 1 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2),
  },
  { expression: 'n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 3', of: (n) => (n === 1 ? 0 : n >= 2 && n <= 4 ? 1 : 3) },
  {
    expression: 'n == 1 ? 0 : n == 0 || n % 100 >= 1 && n % 100 <= 19 ? 1 : 2',
    of: (n) => (n === 1 ? 0 : n === 0 || (n % 100 >= 1 && n % 100 <= 19) ? 1 : 2),
  },
  { expression: 'n == 1 ? 0 : n == 2 ? 1 : 2', of: (n) => (n === 1 ? 0 : n === 2 ? 1 : 2) },
  {
    expression: 'n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 : n % 100 >= 3 && n % 100 <= 10 ? 3 : n % 100 >= 11 ? 4 : 5',
    of: (n) => (n < 3 ? n : n % 100 >= 3 && n % 100 <= 10 ? 3 : n % 100 >= 11 ? 4 : 5),
  },
]

const samples = [...Array.from({ length: 240 }, (_, n) => n), 1000, 1001, 1002, 1011, 1_000_000, 1_000_001, 2_000_000]

/** Returns the value of `Plural-Forms:`: the expression that equals the CLDR rule of a language, or the nearest one. */
export function gettextPlural(language: string): string {
  const forms: readonly string[] = formsOf(language)
  const rule = new Intl.PluralRules(language)
  const fits = rules.find(({ of }) => samples.every((n) => of(n) === forms.indexOf(rule.select(n))))
  return `nplurals=${forms.length}; plural=${fits?.expression ?? (forms.length > 1 ? 'n != 1' : '0')};`
}
