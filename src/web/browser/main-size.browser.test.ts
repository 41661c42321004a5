import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Bundle, bundle } from '#tests/support/browser-modules/bundle.ts'

const budgetBytes = 12 * 1024

describe('the script that every page carries', () => {
  let built: Bundle
  beforeAll(async () => {
    built = await bundle('src/web/browser/main.ts')
  })

  it('is at most 12 KB compressed before anything is touched', () => {
    const sizes = built.eager.map((name) => gzipSync(built.files.get(name) ?? '', { level: 9 }).byteLength)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(budgetBytes)
  })

  it('comes with a translator of at most 4 KB where it is needed', () => {
    const [name = ''] = [...built.files.keys()].filter((file) => file.startsWith('start-translator'))
    expect(built.eager).not.toContain(name)
    expect(gzipSync(built.files.get(name) ?? '', { level: 9 }).byteLength).toBeLessThanOrEqual(4 * 1024)
    expect(built.files.get(name)).toContain('trp_get_translations_regular')
  })

  it.each(['react.transitional.element', 'update_order_review', 'update_shipping_method', 'Idiomorph'])(
    'leaves %s to chunks that are loaded when they are needed',
    (trace) => {
      const eager = built.eager.map((name) => built.files.get(name)).join('')
      expect(eager.includes(trace)).toBe(false)
      expect([...built.files.values()].join('').includes(trace)).toBe(trace !== 'Idiomorph')
    },
  )
})
