import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { sourceStack } from './source-stack.ts'

it('a stack of a built file names what was written, and leaves what it does not know', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stack-'))
  const built = pathToFileURL(join(folder, 'main.js')).href
  // The third line maps to line 2 of the source.
  const map = { version: 3, sources: ['../src/area/page.ts'], names: [], mappings: ';;AACA' }
  await writeFile(join(folder, 'main.js.map'), JSON.stringify(map))
  const broken = pathToFileURL(join(folder, 'broken.js')).href
  await writeFile(join(folder, 'broken.js.map'), 'no map')
  const others = [
    `    at other (${pathToFileURL(join(folder, 'other.js')).href}:3:1)`,
    `    at broken (${broken}:3:1)`,
    '    at node:internal/process/task_queues:104:5',
    '    at render (file:///shop/node_modules/react/index.js:3:1)',
  ]
  const stack = [
    'Error: a price of (file:///x.js:1:1',
    `    at page (${built}:3:1)`,
    `    at async ${built}:3:1`,
    ...others,
  ]
  const source = join(folder, '../src/area/page.ts')
  expect((await sourceStack(stack.join('\n'))).split('\n')).toEqual([
    stack[0],
    `    at page (${source}:2:1)`,
    `    at async ${source}:2:1`,
    ...others,
  ])
})

it('a stack names the last place before its column, across lines and sources', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stack-'))
  const built = pathToFileURL(join(folder, 'main.js')).href
  // Line 1: column 0 is a.ts 1:1, column 10 is b.ts 3:5. Line 2: column 4 is a.ts 21:1; column 8 has no source.
  const map = { version: 3, sources: ['a.ts', 'b.ts'], names: ['x'], mappings: 'AAAA,UCEIA;IDkBJ,I' }
  await writeFile(join(folder, 'main.js.map'), JSON.stringify(map))
  const at = async (row: number, column: number) =>
    (await sourceStack(`    at f (${built}:${row}:${column})`)).replace(`${folder}/`, '').trim()
  expect(await at(1, 1)).toBe('at f (a.ts:1:1)')
  expect(await at(1, 10)).toBe('at f (a.ts:1:1)')
  expect(await at(1, 11)).toBe('at f (b.ts:3:5)')
  expect(await at(2, 5)).toBe('at f (a.ts:21:1)')
  // Before the first place of a line, and behind the last line.
  expect(await at(2, 2)).toContain('main.js:2:2')
  expect(await at(9, 1)).toContain('main.js:9:1')
})
