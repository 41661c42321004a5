import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findPlaceholders } from '#domain/translation/placeholder-patterns.ts'

const src = join(import.meta.dirname, '../../../src')
const files = globSync('**/*.{ts,tsx}', { cwd: src }).filter((file) => !/\.test\.tsx?$|\.d\.ts$/.test(file))

/** What is put into a pattern that is no pattern of the same file: by file, each with why it can say nothing else than meant. */
const known: Readonly<Record<string, readonly string[]>> = {
  // Paths of routes, written out in the lists of calls.
  'server/rest/v3/resource/embed.ts': ["path.replace(/:\\w+/g, '([^/]+)')"],
  // `br`, `zstd` and `gzip`.
  'server/http/compression.ts': ['name'],
  // Endings that our own schemas name.
  'contract/shared/file-setting.ts': ["endings.join('|')"],
  // A country of a list of ours.
  'domain/shipping/postcode-rule.ts': ['country'],
  // Shapes of British postcodes.
  'domain/addresses/postcode.ts': ['outward'],
  // Letters of a table of ours.
  'domain/catalog/search-words.ts': ["Object.keys(spelledOut).join('')"],
  // Names of our own cookies.
  'domain/attribution/cookie-text.ts': ['name'],
  // One of ten names of elements.
  'domain/translation/markup-tokens.ts': ['name'],
  // The merchant's terms, escaped.
  'domain/translation/placeholder-patterns.ts': ['capital', 'exact'],
  // The merchant's texts, escaped.
  'web/browser/adapters/translation/translator/own-texts.ts': [
    "parts.map((part) => part.replace(/\\W/g, '\\\\$&')).join('.*')",
  ],
  // Yes or no.
  'web/browser/adapters/translation/translator/skip-rules.ts': [
    "settings.trp_translate_numerals_opt === 'yes' ? '' : '\\\\d'",
  ],
}

/** What stands between `RegExp(` and its end. */
function argumentAt(text: string, from: number): string {
  let depth = 1
  let at = from
  for (; at < text.length && depth > 0; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '(') depth += 1
    else if (text[at] === ')') depth -= 1
  }
  return text.slice(from, at - 1)
}

/** The expressions in a template, and an argument that is no text at all. */
function valuesIn(argument: string): string[] {
  const values = [...argument.matchAll(/\$\{((?:[^{}]|\{[^{}]*\})*)\}/g)].map(([, value = '']) => value)
  return /^\s*(?:String\.raw)?[`'"]/.test(argument) ? values : [argument.split(',')[0]?.trim() ?? '']
}

/** Constants of the file's own, written as text or pattern: they hold nobody's words. */
const isConstant = (text: string, value: string) =>
  /^[a-zA-Z]+(?:\.source)?$/.test(value) &&
  new RegExp(`^const ${value.replace('.source', '')}(?:: \\w+)? =\\s+(?:String\\.raw)?[/\`'"]`, 'm').test(text)

describe('patterns', () => {
  it('M9 are built of nobody’s words, but for a few that are escaped', () => {
    const built: Record<string, string[]> = {}
    for (const file of files) {
      const text = readFileSync(join(src, file), 'utf8')
      const values = [...text.matchAll(/\bRegExp\(/g)]
        .flatMap(({ 0: { length }, index }) => valuesIn(argumentAt(text, index + length)))
        .filter((value) => !isConstant(text, value))
      if (values.length > 0) built[file.replaceAll('\\', '/')] = [...new Set(values)].toSorted()
    }
    expect(built).toEqual(known)
  })

  it('M9 of the merchant’s words are these words, whatever stands in them', () => {
    const said = (term: string, text: string) => findPlaceholders(text, [{ term, said: '!' }], false).length
    expect(said('a.c', 'abc')).toBe(0)
    expect(said('a.c', 'an a.c here')).toBe(1)
    for (const term of ['[a-z]', '(x+x+)+y', 'C++', 'a|b', '^$', '\\d', '{2}', 'a-b', '&&', '^^']) {
      expect([term, said(term, `see ${term} there`)]).toEqual([term, 1])
    }
  })
})
