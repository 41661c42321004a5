import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configCommand } from '#cli/operations/config.ts'
import { settingsCommand } from '#cli/operations/settings.ts'
import { aBrowser, aVisitor } from '#tests/support/browser.ts'
import { runCommand, runCommandWith } from '#tests/support/process/command.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

const root = join(import.meta.dirname, '../../..')

let browser: Browser
let shop: TestShop
let folder: string
beforeAll(async () => {
  // Within the project, where the file of the guide finds what it imports.
  await mkdir(join(root, 'reports'), { recursive: true })
  folder = await mkdtemp(join(root, 'reports/theming-'))
  const configFile = await theShopOfTheGuide(folder)
  ;[browser, shop] = await Promise.all([aBrowser(), aShop({ wallet: false, configFile })])
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Writes the files that the guide shows and names. @returns the path of its shop.config.ts */
async function theShopOfTheGuide(place: string): Promise<string> {
  const guide = await readFile(join(root, 'docs/guides/theming.md'), 'utf8')
  const block = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(guide)?.[1] ?? ''
  const look = join(place, 'look')
  await mkdir(look)
  const logo = block('svg')
  await writeFile(join(look, 'logo.svg'), logo)
  await writeFile(join(look, 'logo-dark.svg'), logo.replace('#3d3a9e', '#b9b4ff'))
  await writeFile(join(look, 'icon.svg'), logo)
  const letters = '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2'
  await copyFile(join(root, 'node_modules', letters), join(look, 'market.woff2'))
  await copyFile(join(root, 'tests/fixtures/images/shirt-sand.png'), join(look, 'stall.png'))
  const configFile = join(place, 'shop.config.ts')
  await writeFile(configFile, block('ts'))
  return configFile
}

const sheetOf = (html: string) => /<link rel="stylesheet" href="(\/theme\/[0-9a-f]+\.css)"/.exec(html)?.[1]
const html = async (path = '/') => (await fetch(`${shop.url}${path}`)).text()

/** A colour or a size as the browser has worked it out. */
function computed(page: Page, selector: string, property: string): Promise<string> {
  return page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
}

describe('the shop of the theming guide', () => {
  it('shows its colours, letters, corners and logo in both schemes, and nothing moves or is refused', async () => {
    await using visitor = await aVisitor(browser, { baseURL: shop.url })
    const { page } = visitor
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/')
    const seen = async () => ({
      ground: await computed(page, 'html', 'background-color'),
      ink: await computed(page, 'html', 'color'),
      field: await computed(page, '.home-banner', 'background-color'),
      corner: await computed(page, '.home-banner', 'border-start-start-radius'),
      logo: await page.locator('.site-logo').evaluate((image) => (image as HTMLImageElement).currentSrc),
    })
    const light = await seen()
    expect(light).toMatchObject({ ground: 'rgb(255, 250, 243)', ink: 'rgb(33, 29, 51)', corner: '10px' })
    expect(light.field).toBe('rgb(246, 237, 224)')
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await seen()
    expect(dark).toMatchObject({ ground: 'rgb(20, 19, 31)', ink: 'rgb(241, 239, 248)', field: 'rgb(30, 28, 46)' })
    expect(dark.logo).not.toBe(light.logo)

    expect(await computed(page, 'h2', 'font-family')).toMatch(/^"?Market"?,/)
    expect(await computed(page, '.home-section h2', 'font-weight')).toBe('650')
    await page.evaluate(() => document.fonts.ready)
    expect(await page.evaluate(() => document.fonts.check('650 16px Market', 'Stall'))).toBe(true)

    const logo = page.getByRole('link', { name: 'Market Hall' }).first().locator('img')
    // As the drawing is: four times as wide as it is high.
    expect(await logo.evaluate((image) => [image.getAttribute('width'), image.getAttribute('height')])).toEqual([
      '128',
      '32',
    ])
    const box = await logo.boundingBox()
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4, 1)
    await page.reload()
    await page.waitForLoadState('networkidle')
    expect(visitor.errors).toEqual([])
  })

  it('has its menus, three levels deep, and the columns at its foot', async () => {
    const page = await html('/shop/')
    const [, header = ''] = /<header(.*?)<\/header>/s.exec(page) ?? []
    const links = [...header.matchAll(/<a[^>]*href="([^"]*)"[^>]*>([^<]+)<\/a>/g)].map(([, url, text]) => [text, url])
    const wanted = [
      ['Kitchen', '/product-category/kitchen/'],
      ['Cups and mugs', '/product-category/kitchen/cups/'],
      ['The plain one', '/product/plain-mug/'],
      ['To give away', '/product-category/gifts/'],
      ['About Fogline', '/about/'],
    ]
    expect(links.filter(([text]) => wanted.some(([name]) => name === text))).toEqual(wanted)
    expect(header).not.toContain('Clothes')
    const [, footer = ''] = /<footer(.*?)<\/footer>/s.exec(page) ?? []
    expect([...footer.matchAll(/<h2[^>]*>([^<]+)</g)].map(([, title]) => title)).toEqual(['Buying here', 'Say hello'])
    for (const url of ['/shipping/', '/terms/', '/privacy-policy/', '/contact/', 'mailto:hello@market.example'])
      expect(footer).toContain(`href="${url}"`)
  })

  it('has the sections of its front page in their order, with one first heading', async () => {
    await using visitor = await aVisitor(browser, { baseURL: shop.url })
    const { page } = visitor
    await page.goto('/')
    expect(await page.locator('main h1').allTextContents()).toEqual(['Market Hall'])
    expect(await page.locator('main .home-section h2:not(li *), main blockquote').allTextContents()).toEqual([
      'Stall 14, third row',
      'On the stall today',
      'Buy the bowl. You will find out what it is for.',
      'By the row',
      'For the table',
      'Market day is Saturday',
      'How we pack',
    ])
    const names = (title: string) =>
      page
        .locator('.home-section', { has: page.getByRole('heading', { name: title }) })
        .locator('.woocommerce-loop-product__title, .category-tiles__name')
        .allTextContents()
    expect(await names('On the stall today')).toEqual(['Soup bowl', 'Linen shirt', 'Plain mug'])
    expect(await names('By the row')).toEqual(['Gifts', 'Kitchen'])
    expect(await names('For the table')).toHaveLength(4)
    // Its own picture in sizes of the shop's making; its words as Markdown, its link as a link.
    const first = page.locator('.home-picture')
    expect(await first.getByRole('img', { name: 'A linen shirt on a hook' }).getAttribute('srcset')).toMatch(
      /\/media\//,
    )
    expect(await first.locator('strong').textContent()).toBe('since the hall had gas light')
    // Chapters of a text stand below the title that the page gives it.
    expect(await page.locator('.home-text h3').allTextContents()).toEqual(['For the post'])
    expect(await page.getByRole('link', { name: 'More on shipping' }).getAttribute('href')).toBe('/shipping/')
  })

  it('comes as one sheet and files of its own, kept for ever by their digests, under the same policy', async () => {
    const response = await fetch(shop.url)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("style-src 'self'")
    expect(policy).not.toContain('unsafe')
    const page = await response.text()
    const address = sheetOf(page) ?? ''
    const sheet = await fetch(`${shop.url}${address}`)
    expect(sheet.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(sheet.headers.get('content-type')).toBe('text/css; charset=UTF-8')
    const text = await sheet.text()
    const addresses = [
      ...[...text.matchAll(/url\("([^"]+)"\)/g)].map(([, url = '']) => url),
      ...[...page.matchAll(/(?:src|srcSet|srcset|href)="(\/theme\/[^"]+\.(?:svg|png))"/g)].map(([, url = '']) => url),
    ]
    expect(new Set(addresses).size).toBe(3)
    for (const url of addresses) {
      expect(url).toMatch(/^\/theme\/[0-9a-f]{64}\.(?:woff2|svg)$/)
      const file = await fetch(`${shop.url}${url}`)
      expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
      // Opened by itself, a drawing could hold anything.
      expect(file.headers.get('content-security-policy')).toContain('sandbox')
    }
    // Of letters, a page begins with those that it is set in: the shop's own for headings are not even asked for.
    const preloads = [...page.matchAll(/<link rel="preload" href="([^"]+\.woff2)"/g)].map(([, url]) => url)
    expect(preloads).toEqual([expect.stringMatching(/^\/theme\//), expect.stringMatching(/figtree-latin/)])
    expect(page).toMatch(/<link rel="icon" href="\/theme\/[0-9a-f]{64}\.svg"/)
  })

  it('says nothing against its own colours and names, and applies once', async () => {
    const file = join(folder, 'shop.config.ts')
    const answer = await runCommandWith({ dataDir: shop.dataDir }, configCommand, shop.db, 'check', '--file', file)
    expect(answer).toMatchObject({ code: 0, out: '', err: 'No changes: the shop matches shop.config.ts.' })
  })

  it('names the line of what is wrong, and what was surely not meant', async () => {
    const file = join(folder, 'broken.config.ts')
    const write = (theme: string, rest = '') =>
      writeFile(file, `export default {\n  settings: {\n    theme: {\n      ${theme},\n    },${rest}\n  },\n}`)
    const check = () => runCommandWith({ dataDir: shop.dataDir }, configCommand, shop.db, 'check', '--file', file)
    const fault = async (theme: string) => {
      await write(theme)
      const { code, err } = await check()
      expect(code).toBe(1)
      return err
    }
    expect(await fault(`tokens: { '--acent': '#123456' }`)).toBe(
      'Error: broken.config.ts, line 4, settings.theme.tokens.--acent: is not a token: did you mean --accent or --accent-hover?',
    )
    expect(await fault(`dark: { '--ink': 'red} body{display:none' }`)).toContain('theme.dark.--ink: must not hold "}"')
    expect(await fault(`logo: { file: 'look/none.svg' }`)).toContain('settings.theme.logo.file: there is no file ')
    expect(await fault(`logo: { file: 'look/stall.webp' }`)).toContain('there is no file')
    await copyFile(join(folder, 'look/stall.png'), join(folder, 'look/false.svg'))
    expect(await fault(`icon: 'look/false.svg'`)).toContain('look/false.svg has another format than its name: png')

    await write(`light: { '--ink-soft': '#999999' }`, `\n    menus: { main: [{ category: 'kitchens' }] },`)
    const { code, err } = await check()
    expect(code).toBe(0)
    expect(err).toContain('--ink-soft on --ground has a contrast of')
    expect(err).toContain('menus.main[0]: there is no category "kitchens", so it is left out')
  })

  it('changes from one page to the next when another process changes a token', async () => {
    const before = sheetOf(await html())
    expect(before).toBeDefined()
    // The command knows the shop by its database alone.
    const { code } = await runCommand(settingsCommand, shop.db, 'theme.tokens', '{"--radius":"2px"}')
    expect(code).toBe(0)
    await expect.poll(async () => sheetOf(await html())).not.toBe(before)
    expect(await (await fetch(`${shop.url}${sheetOf(await html())}`)).text()).toContain('--radius:2px')
    // Whoever still holds the page of a moment ago is styled by the sheet of now, and does not keep it under that name.
    const late = await fetch(`${shop.url}${before}`)
    expect([late.status, late.headers.get('cache-control')]).toEqual([200, 'no-store'])

    await runCommand(settingsCommand, shop.db, 'menus.footer', '[{"title":"Less","items":[{"page":"terms"}]}]')
    await expect.poll(() => html()).toContain('>Less</h2>')
    await runCommand(settingsCommand, shop.db, 'home.sections', '[{"kind":"hero","title":"Shut for the winter"}]')
    await expect.poll(() => html()).toContain('<h1>Shut for the winter</h1>')
  })
})
