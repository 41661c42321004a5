import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const drafts = join(import.meta.dirname, '../../../content')
const demo = join(import.meta.dirname, '../../../demo/content')
const pagesIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => /^[a-z-]+(\.[a-z]+)?\.md$/.test(name))

let shop: TestShop
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-pages-'))
  await cp(drafts, folder, { recursive: true })
  shop = await aShop({
    wallet: false,
    contentFolder: folder,
    settings: { languages: [{ tag: 'de-DE' }], consent: { banner: true } },
  })
})
afterAll(async () => {
  await shop?.close()
  await rm(folder, { recursive: true, force: true })
})

const status = async (path: string) => (await fetch(shop.url + path, { redirect: 'manual' })).status

describe('a shop of one’s own', () => {
  it('starts with drafts of what it must say, in every language of the demo, and with nothing invented', async () => {
    const names = await pagesIn(drafts)
    for (const slug of ['terms', 'privacy-policy', 'shipping', 'contact', 'accessibility']) {
      const inLanguages = (await pagesIn(demo)).filter((name) => name.split('.')[0] === slug)
      expect(names.filter((name) => name.split('.')[0] === slug)).toEqual(inLanguages)
    }
    for (const name of names) {
      const text = await readFile(join(drafts, name), 'utf8')
      expect(text, name).toMatch(/^---\n(?:.+\n)*draft: yes\n(?:.+\n)*---\n/)
      expect(text, name).not.toMatch(/fogline|shotwell|555 0/i)
    }
  })

  it('publishes none of them, nor a link to one, until its merchant does', async () => {
    for (const slug of ['terms', 'privacy-policy', 'shipping', 'contact', 'accessibility', 'about']) {
      expect([slug, await status(`/${slug}/`), await status(`/de/${slug}/`)]).toEqual([slug, 404, 404])
    }
    const ada = new Shopper(shop, 'ada')
    await ada.add('MUG')
    const html = [await ada.page('/'), await ada.page(urls.cart()), await ada.page(urls.checkout())].join('')
    expect(html).not.toMatch(/href="[^"]*\/(?:terms|privacy-policy|shipping|contact|accessibility|about)\//)
    expect(await ada.page('/sitemap.xml')).not.toContain('/terms/')

    const file = join(folder, 'terms.md')
    await writeFile(file, (await readFile(file, 'utf8')).replace('draft: yes\n', ''))
    await expect.poll(() => status('/terms/'), { timeout: 10_000 }).toBe(200)
    expect(await ada.page(urls.checkout())).toContain('id="terms"')
  })
})
