import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMailDesk } from '#server/mail/mail-desk.ts'
import { aBrowser } from '#tests/support/browser.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

const languages = ['en-US', 'de-DE', 'fr-FR', 'es-ES', 'ar', 'ja-JP']
const names: Readonly<Record<string, string>> = {
  'en-US': 'Direct bank transfer',
  'de-DE': 'Banküberweisung',
  'fr-FR': 'Virement bancaire',
  'es-ES': 'Transferencia bancaria',
  ar: 'تحويل مصرفي مباشر',
  'ja-JP': '銀行振込',
}

let shop: TestShop
let browser: Browser
let orderId: number
beforeAll(async () => {
  ;[browser, shop] = await Promise.all([
    aBrowser(),
    aShop({
      wallet: false,
      settings: {
        languages: languages.slice(1).map((tag) => ({ tag })),
        payments: { bacs: { enabled: true } },
      },
    }),
  ])
  // A long name takes the room of what stands beside it.
  await shop.db
    .sql`update products set name = 'Hand-thrown breakfast mug with a wide handle and a speckled glaze' where sku = 'MUG'`
  const ada = new Shopper(shop, 'ada')
  await ada.add('MUG')
  await ada.add('SHIRT-SEA-M')
  await ada.openCheckout()
  orderId = (await ada.placeOrder('bacs')).order_id ?? 0
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
})

async function mailIn(language: string): Promise<string> {
  const { tools } = shop.shop.application
  const desk = openMailDesk(tools, { smtpUrl: '', outbox: shop.dataDir })
  const mail = await desk.preview('customer_on_hold_order', orderId, language)
  if (!mail?.html) throw new Error(`there is no message in ${language}`)
  return mail.html
}

/** How many lines each cell's own text takes, and which words stand on more than one. */
const linesOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('th, td')].map((cell) => {
      const text = [...cell.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
      const rects = (from: number, to: number) => {
        if (!text) return []
        const range = document.createRange()
        range.setStart(text, from)
        range.setEnd(text, to)
        return [...new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))]
      }
      const all = text?.textContent ?? ''
      const words = [...all.matchAll(/[^\s]+/g)].map((match) => ({ word: match[0], at: match.index }))
      return {
        text: all,
        lines: rects(0, all.length).length,
        broken: words.filter(({ word, at }) => rects(at, at + word.length).length > 1).map(({ word }) => word),
      }
    }),
  )

describe('the table of a message about an order', () => {
  it.each(languages)('is readable on narrow and wide screens, by day and by night: %s', async (language) => {
    const html = await mailIn(language)
    const name = names[language] ?? ''
    for (const [width, most] of [
      [320, 2],
      [600, 1],
    ] as const) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
        await page.setContent(html)
        const cells = await linesOf(page)
        const method = cells.find(({ text }) => text === name)
        expect(method?.lines, `${name} at ${width}`).toBeLessThanOrEqual(most)
        // Japanese parts no words by blanks.
        if (language !== 'ja-JP') expect(cells.flatMap(({ broken }) => broken)).toEqual([])
        const overflow = await page.evaluate(() => {
          const within = document.querySelector('h1')?.getBoundingClientRect().width ?? 0
          const tables = [...document.querySelectorAll('table')].map((table) => table.getBoundingClientRect().width)
          return Math.max(document.documentElement.scrollWidth - innerWidth, ...tables.map((width) => width - within))
        })
        expect(overflow, `${language} at ${width}`).toBeLessThanOrEqual(0)
        if (process.env.SHOTS)
          await page.screenshot({
            path: `${process.env.SHOTS}/mail-${language}-${width}-${colorScheme}.png`,
            fullPage: true,
          })
        await page.close()
      }
    }
  })
})
