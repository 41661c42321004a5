import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const here = 'tests/architecture/no-retries.test.ts'
/** Vitest's option of retries, and a wait that is too short on one machine and too long on all others. */
const forbidden = /\bretry\s*:\s*(?:\d|\{)|^\s*retry,$|\bconst retry\b|\bwaitForTimeout\b|--retry\b/gm

it('no test is retried, and none waits for a fixed time in a page', () => {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.tsx', '*.mjs'], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = stdout.split('\n').filter((file) => /^(?:tests|bench|scripts)\/|\.test\.tsx?$|config\.\w+$/.test(file))
  expect(files).toContain('vitest.config.ts')
  const found = files
    .filter((file) => file !== here)
    .flatMap((file) =>
      (readFileSync(join(root, file), 'utf8').match(forbidden) ?? []).map((text) => `${file}: ${text}`),
    )
  expect(found).toEqual([])
})
