import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { peakMegabytes } from './peak-memory.ts'

it('says what this program took, not what the one took that started it', () => {
  const held = Buffer.alloc(300 * 2 ** 20, 1)
  expect(peakMegabytes()).toBeGreaterThan(300)
  const source = `import { peakMegabytes } from ${JSON.stringify(join(import.meta.dirname, 'peak-memory.ts'))}
    const before = peakMegabytes()
    const held = Buffer.alloc(64 * 2 ** 20, 1)
    console.log(JSON.stringify([before, peakMegabytes(), held.length]))`
  const child = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' }))
  expect(child[0]).toBeLessThan(200)
  expect(child[1]).toBeGreaterThanOrEqual(child[0] + 60)
  expect(held).toHaveLength(300 * 2 ** 20)
})
