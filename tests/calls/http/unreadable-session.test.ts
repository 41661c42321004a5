import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { aShop } from '#tests/support/shop.ts'
import { Shopper } from '#tests/support/shopper.ts'

it('F5 at S1 and S10: whose session cannot be read gets a page that says so, with its number, and goes on afterwards', async () => {
  await using shop = await aShop()
  const shopper = new Shopper(shop)
  await shopper.add('MUG')
  await shop.db.sql`alter table sessions rename to put_away`
  const product = String(await shop.idOf('MUG'))
  const answers = [
    await shopper.request(urls.checkout()),
    await shopper.post(urls.wcAjax('checkout'), shopper.form('cod')),
    await shopper.post(urls.wcAjax('add_to_cart'), { product_id: product, quantity: '1' }),
  ]
  for (const answer of answers) {
    expect(answer.status).toBe(500)
    const number = answer.headers.get('x-request-id')
    expect(number).toMatch(/^[0-9a-f]{16}$/)
    expect(await answer.text()).toContain(number)
  }
  const page = await shopper.request(urls.checkout(), { headers: { accept: 'text/html' } })
  const html = await page.text()
  expect([page.status, page.headers.get('content-type')]).toEqual([500, 'text/html; charset=UTF-8'])
  expect(html).toContain('<h1>Something went wrong</h1>')
  expect(html).toContain(`the number ${page.headers.get('x-request-id')}.`)
  expect(html).toContain('<a href="/checkout/">Try again</a>')
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  expect(page.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`)
  await shop.db.sql`alter table put_away rename to sessions`
  expect(await shopper.pieces()).toBe(1)
})
