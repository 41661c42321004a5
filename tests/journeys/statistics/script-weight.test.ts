import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { consentEvents } from '#contract/statistics/consent.ts'
import { statsConfigId } from '#contract/statistics/statistics.ts'
import { clientFolder } from '#tests/support/shop.ts'
import { measureScripts } from '../../../bench/support/measure-scripts.ts'

describe('the scripts that measure', () => {
  it('ATTR-02 STAT-01 tracker, statistics and consent together weigh at most 6 KB compressed', async () => {
    const files = await measureScripts()
    const sizes = new Map<string, number>()
    for (const [name, address] of files) {
      sizes.set(name, gzipSync(await readFile(join(clientFolder, address)), { level: 9 }).byteLength)
    }
    const told = JSON.stringify(Object.fromEntries(sizes))
    expect([...sizes.keys()], told).toEqual(expect.arrayContaining(['measure.ts', 'attribution/start-attribution.ts']))
    // What is small and comes nearly everywhere stands in the entry: all three are on the scales.
    const entry = await readFile(join(clientFolder, files.get('measure.ts') ?? ''), 'utf8')
    for (const trace of [statsConfigId, consentEvents.changed, 'privacy-choices']) expect(entry).toContain(trace)
    const sum = [...sizes.values()].reduce((before, size) => before + size, 0)
    expect(sum, told).toBeGreaterThan(3 * 1024)
    expect(sum, told).toBeLessThanOrEqual(6 * 1024)
  })

  it('ATTR-02 they take along nothing that every page would have to carry', async () => {
    const manifest: Record<string, { file: string; imports?: string[] }> = JSON.parse(
      await readFile(join(clientFolder, '.vite/manifest.json'), 'utf8'),
    )
    const outside = Object.entries(manifest)
      .filter(([name]) => name.startsWith('src/web/browser/adapters/measure/'))
      .flatMap(([, { imports = [] }]) => imports)
      .filter((name) => !name.startsWith('src/web/browser/adapters/measure/'))
    // The bundler's own few lines for loading later stand in the entry of every page; nothing else may be shared.
    expect(new Set(outside)).toEqual(new Set(['src/web/browser/main.ts']))
  })
})
