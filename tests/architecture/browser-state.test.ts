import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

/**
 * What a page has once by its nature, and is read from everywhere. All other state belongs to an object that `main.ts` or
 * the start of a page's part creates and hands on, to a component, or to an attribute in the page. The list can only shrink.
 */
const oncePerPage: Readonly<Record<string, readonly string[]>> = {
  'src/web/browser/adapters/addresses/address-data.ts': ['loaded', 'loading', 'offered'],
  'src/web/browser/adapters/addresses/address-forms.ts': ['started'],
  'src/web/browser/adapters/addresses/searchable-select/searchable-select.ts': ['unnamed'],
  'src/web/browser/adapters/addresses/typed-addresses.ts': ['typed'],
  'src/web/browser/adapters/payments/accelerated/accelerated-v5.ts': ['places'],
  'src/web/browser/adapters/payments/cart-data.ts': ['processing'],
  'src/web/browser/adapters/payments/paypal-v5.ts': ['loader'],
  'src/web/browser/adapters/payments/wallet/approval-state.ts': ['ready'],
  'src/web/browser/runtime/island-element.ts': ['presence'],
  'src/web/browser/runtime/trusted-markup.ts': ['policy', 'reader'],
}

it('modules of the browser hold no state of their own, beside what a page has once by its nature', () => {
  const found: Record<string, string[]> = {}
  for (const file of globSync('src/web/{browser,islands}/**/*.{ts,tsx}', { cwd: root })) {
    if (file.includes('.test.')) continue
    const names = [...readFileSync(join(root, file), 'utf8').matchAll(/^(?:export )?let (\w+)/gm)].map(
      ([, name = '']) => name,
    )
    if (names.length > 0) found[file.replaceAll('\\', '/')] = names
  }
  expect(found).toEqual(oncePerPage)
})
