import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { sourceStack } from './source-stack.ts'

it('a stack of a built file names what was written, and leaves what it does not know', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stack-'))
  const built = pathToFileURL(join(folder, 'main.js')).href
  // The third line is the second of the source.
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
