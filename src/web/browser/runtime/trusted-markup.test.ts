import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../../..')
const listed = /elements = new Set\(\s*`([^`]*)`/.exec(
  readFileSync(join(import.meta.dirname, 'trusted-markup.ts'), 'utf8'),
)
/**
 * Elements with the plain HTMLElement interface, by the standard's index of elements; `style` and `meta` never come
 * with a response.
 */
const plain =
  'abbr address article aside b bdi bdo cite code dd dfn dt em figcaption figure footer header i kbd main mark nav noscript s samp search section small strong sub summary sup u var wbr'.split(
    ' ',
  )
const printed = (file: string) =>
  readFileSync(join(root, file), 'utf8').matchAll(/<(?!typeof)([a-z][a-z0-9]*)(?=[\s/>])(?![^<]*=>)/g)

describe('the gate for markup', () => {
  it('T19 lets every element through that pages, parts and islands print', () => {
    const known = new Set([...plain, ...(listed?.[1] ?? '').split(/\s+/), 'meta', 'style'])
    const files = globSync('src/web/{pages,parts,islands}/**/*.tsx', { cwd: root }).filter(
      (file) => !/test\.tsx$|\/statistics\//.test(file),
    )
    expect(files.length).toBeGreaterThan(50)
    const missing = files.flatMap((file) =>
      [...printed(file)].flatMap(([, name = '']) => (known.has(name) ? [] : [`${name} in ${file}`])),
    )
    expect(missing).toEqual([])
  })
})
