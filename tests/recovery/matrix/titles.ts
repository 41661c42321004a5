import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault } from './fault-matrix.ts'

/** A test as its title tells it; rows of a table count like titles. */
export type Titled = { readonly file: string; readonly title: string }

const places = String.raw`S\d+(?:(?:,? and |, | to | )S\d+)*`
const cellWords = new RegExp(String.raw`\bF\d+(?:(?:,? and |, | to | )F\d+)* at ${places}\b`, 'g')

/** `S5, S6 and S10`, `S9 to S12` → each of them. */
export function listed(words: string, letter: 'F' | 'S'): string[] {
  const found: string[] = []
  for (const [, to, figure = ''] of words.matchAll(new RegExp(`(to )?\\b${letter}(\\d+)`, 'g'))) {
    const last = Number(found.at(-1)?.slice(1) ?? figure)
    for (let between = last + 1; to && between < Number(figure); between += 1) found.push(`${letter}${between}`)
    found.push(letter + figure)
  }
  return found
}

/** The cells of one fault, of words like `S5 to S9`; the fault itself where it belongs to no step. */
export function cellsOf(fault: string, where: string): string[] {
  return where === '' ? [fault] : listed(where, 'S').map((step) => `${fault} at ${step}`)
}

/** The cells that a title names: `F6 at S8`; `F17` for a fault without a step. @param asked the steps of each fault */
export function cellsIn(title: string, asked: Readonly<Record<Fault, string>>): string[] {
  const cells = [...title.matchAll(cellWords)].flatMap(([words]) => {
    const [which = '', where = ''] = words.split(' at ')
    return listed(which, 'F').flatMap((fault) => cellsOf(fault, where))
  })
  const alone = [...title.matchAll(/\bF\d+\b/g)].map(String).filter((fault) => asked[fault as Fault] === '')
  return [...new Set([...cells, ...alone])]
}

/** The promises, invariants, methods and threats that a title names. A single word, as data has it, names none. */
export function idsIn(title: string): string[] {
  if (title.trim().split(/\s+/).length < 3) return []
  return [...new Set([...title.matchAll(/\b[PIMT][1-9]\d?\b/g)].map(String))]
}

/** String literals of one line each, without comments and what is skipped: enough to read titles and their tables. */
export function literals(source: string): string[] {
  return source
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\*|\/\*)|\b(it|test|describe)\.(skip|todo)\(/.test(line))
    .flatMap((line) => [...line.matchAll(/(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(([, , text = '']) => text))
}

const root = join(import.meta.dirname, '../../..')

/** Every literal of every test but those of the matrix, which must not prove themselves. */
export function titlesOfAll(): Titled[] {
  return globSync('{src,emulator,tests,scripts,demo,bench}/**/*.test.{ts,tsx}', { cwd: root })
    .filter((file) => !/^(tests\/recovery\/matrix|scripts\/reliability)\//.test(file))
    .sort()
    .flatMap((file) => literals(readFileSync(join(root, file), 'utf8')).map((title) => ({ file, title })))
}

/** Who names what: by cell or id, the titles that do, without repeats. */
export function byName<Test extends Titled>(
  titles: readonly Test[],
  namesIn: (title: string) => readonly string[],
): Map<string, readonly Test[]> {
  const found = new Map<string, Test[]>()
  for (const titled of titles) {
    for (const name of namesIn(titled.title)) {
      const known = found.get(name) ?? []
      if (!known.some(({ file, title }) => file === titled.file && title === titled.title)) known.push(titled)
      found.set(name, known)
    }
  }
  return found
}
