import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consentCookie, measureHooks } from '#contract/statistics/consent.ts'
import { languageHooks } from '#contract/translation/language-hooks.ts'
import { renderMarkdown } from '#server/content/markdown.ts'
import { currencyCookie } from '#server/currency/currency-choice.ts'
import { noticesCookie } from '#server/http/visit.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const delivered = join(import.meta.dirname, '../../../demo/content')
let shop: TestShop
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'content-'))
  for (const name of await readdir(delivered)) {
    await writeFile(join(folder, name), await readFile(join(delivered, name)))
  }
  shop = await aShop({ wallet: false, contentFolder: folder })
})
afterAll(async () => {
  await shop?.close()
  await rm(folder, { recursive: true, force: true })
})

const get = (path: string, accept = 'text/html') => fetch(shop.url + path, { redirect: 'manual', headers: { accept } })
const page = async (path: string) => (await get(path)).text()

describe('pages of text', () => {
  it('are delivered for what a shop must say, and every link in them leads somewhere', async () => {
    const files = (await readdir(delivered)).filter((name) => name.endsWith('.md'))
    // Those of other languages are asked for below their own addresses.
    const slugs = files.map((name) => name.replace('.md', '')).filter((slug) => !slug.includes('.'))
    for (const slug of ['about', 'shipping', 'terms', 'privacy-policy', 'contact', 'accessibility']) {
      expect(slugs).toContain(slug)
    }
    const links = new Set<string>()
    for (const slug of slugs) {
      const response = await get(`/${slug}/`)
      expect([slug, response.status, response.headers.get('cache-control')]).toEqual([
        slug,
        200,
        expect.stringMatching(/^public/),
      ])
      for (const link of renderMarkdown(await readFile(join(delivered, `${slug}.md`), 'utf8'), '').links)
        links.add(link)
    }
    const own = [...links].filter((link) => link.startsWith('/') || link.startsWith('#'))
    expect(own.length).toBeGreaterThan(5)
    for (const link of own) {
      const [path = '', id] = link.split('#')
      const target = await get(path)
      expect([link, target.status]).toEqual([link, 200])
      if (id) expect([link, (await target.text()).includes(` id="${id}"`)]).toEqual([link, true])
    }
    const others = [...links].filter((link) => !own.includes(link))
    expect(others.filter((link) => !/^(?:https:\/\/|mailto:|tel:)/.test(link))).toEqual([])
  })

  it('legal ones say loudly that they are placeholders', async () => {
    for (const slug of ['terms', 'privacy-policy']) expect(await page(`/${slug}/`)).toMatch(/placeholder, not a /)
  })

  it('name every cookie that the shop sets, in each language of the privacy policy', async () => {
    const { chosenCookie, hintCookie } = languageHooks
    const mailed = ['wp-resetpass…', 'wp-confirm-email…']
    const kept = ['sid', '__Host-sid', noticesCookie, currencyCookie, chosenCookie, hintCookie, ...mailed]
    const names = [...kept, `${measureHooks.kept}…`, consentCookie('…')]
    for (const name of await readdir(delivered)) {
      if (!name.startsWith('privacy-policy.')) continue
      const text = await readFile(join(delivered, name), 'utf8')
      expect([name, names.filter((cookie) => !text.includes(`\`${cookie}\``))]).toEqual([name, []])
    }
  })

  it('have one first heading, a list of chapters when they are long, and their own title and description', async () => {
    const html = await page('/privacy-policy/')
    expect(html.match(/<h1/g)).toHaveLength(1)
    expect(html).toContain('<a href="#cookies">Cookies</a>')
    expect(html).toContain('<title>Privacy policy – Test shop</title>')
    expect(html).toMatch(/<meta name="description" content="Which personal data/)
    expect(await page('/contact/')).not.toContain('content-index')
  })

  it('are there at the address that people type, and nowhere else', async () => {
    const typed = await get('/about')
    expect([typed.status, typed.headers.get('location')]).toEqual([301, '/about/'])
    const advertised = await get('/about?utm_source=letter&utm_campaign=spring')
    expect(advertised.headers.get('location')).toBe('/about/?utm_source=letter&utm_campaign=spring')
    expect((await get('/no-such-page/')).status).toBe(404)
    expect((await get('/no-such-page')).status).toBe(404)
    expect((await get('/terms.md')).status).toBe(404)
  })

  it('change without a restart, come and go, and a slip in one breaks nothing', async () => {
    expect(await page('/about/')).toContain('Fogline began with a mug')
    await writeFile(join(folder, 'about.md'), '---\ntitle: About\nmenu: somewhere\n---\n\nWe are new here.\n')
    await expect.poll(() => page('/about/'), { timeout: 15_000 }).toContain('We are new here')
    await writeFile(join(folder, 'jobs.md'), '---\ntitle: Work with us\nmenu: footer\n---\n\nPlease do.\n')
    await expect.poll(async () => (await get('/jobs/')).status, { timeout: 15_000 }).toBe(200)
    await rm(join(folder, 'jobs.md'))
    await expect.poll(async () => (await get('/jobs/')).status, { timeout: 15_000 }).toBe(404)
    expect((await get('/')).status).toBe(200)
  })
})

describe('an address where there is nothing,', () => {
  it('suggests what it seems to ask for', async () => {
    const html = await page('/product/plain-mugs-old/')
    expect(html).toContain('value="plain mugs old"')
    expect(await page('/product/plain-mugg/')).toMatch(/Did you mean this\?.*href="\/product\/plain-mug\/"/s)
  })

  it('has a search, the categories and what is new where it asks for nothing', async () => {
    for (const path of ['/x/1234/', '/product/zzzzqqq/', '/.env', '/%E0%A4%A/']) {
      const response = await get(path)
      const html = await response.text()
      expect([path, response.status]).toEqual([path, response.status === 400 ? 400 : 404])
      if (response.status === 404) expect(html).toMatch(/id="search-instead".*New in the shop/s)
    }
  })

  it('or a search that finds nothing, leads on to what others like', async () => {
    expect(await page('/?s=zzzqqq&post_type=product')).toMatch(
      /No products were found.*What others like.*type-product/s,
    )
    expect(await page('/shop/?max_price=1')).not.toContain('What others like')
  })

  it('says to a machine no more than that', async () => {
    const response = await get('/nowhere/', 'application/json')
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/plain; charset=UTF-8'])
  })
})

describe('a form that is refused', () => {
  it('is answered by a page that a person can read, with the status that it has', async () => {
    const foreign = await fetch(`${shop.url}/cart/`, {
      method: 'POST',
      body: new URLSearchParams({ update_cart: '1' }),
      headers: { accept: 'text/html', origin: 'https://elsewhere.example' },
    })
    expect([foreign.status, foreign.headers.get('content-type')]).toEqual([403, 'text/html; charset=UTF-8'])
    expect(await foreign.text()).toContain('This request did not come from the shop')
    const plain = await fetch(`${shop.url}/cart/`, { method: 'POST', headers: { origin: 'https://elsewhere.example' } })
    expect([plain.status, await plain.text()]).toEqual([403, 'Foreign form'])
  })
})
