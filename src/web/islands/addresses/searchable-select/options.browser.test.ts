import { describe, expect, it } from 'vitest'
import { settled } from '#tests/support/browser/page-time.ts'
import { eventually } from '#tests/support/browser-modules/scene.ts'
import { aSelectPage, someSelect } from '#tests/support/browser-modules/select-page.tsx'

const { scene, start, country, field, options, message, texts, value } = aSelectPage()

describe('options from an address', () => {
  const remote = () => someSelect(`data-ajax--url="/fruit?shelf=2" data-placeholder="Any fruit"`)
  const asked = () =>
    scene.shop.seen.filter(({ path }) => path.startsWith('/fruit')).map(({ path }) => path.split('?')[1])

  it('SEL-02 are asked for by q and page, page by page as one scrolls, and chosen into the select', async () => {
    scene.shop.at('/fruit', ({ path }) => {
      const query = new URLSearchParams(path.split('?')[1])
      const page = Number(query.get('page') ?? '1')
      const results = Array.from({ length: 30 }, (_, index) => {
        const id = (page - 1) * 30 + index + 1
        return { id, text: `${query.get('q') || 'Fruit'} ${id}` }
      })
      return { json: { results, pagination: { more: page < 3 } } }
    })
    await start(remote())
    await country().click()
    await eventually(() => options().count()).toBe(30)
    await field().fill('fig')
    await eventually(async () => (await texts())[0]).toBe('fig 1')
    for (const count of [60, 90]) {
      await scene.page.locator('.select2-results__options').evaluate((it) => it.scrollTo(0, it.scrollHeight))
      await eventually(() => options().count()).toBe(count)
    }
    await scene.page.locator('.select2-results__options').evaluate((it) => it.scrollTo(0, it.scrollHeight))
    expect(asked()).toEqual([
      'shelf=2&term=&q=&_type=query',
      'shelf=2&term=fig&q=fig&_type=query',
      'shelf=2&term=fig&q=fig&_type=query%3Aappend&page=2',
      'shelf=2&term=fig&q=fig&_type=query%3Aappend&page=3',
    ])
    await options().filter({ hasText: 'fig 61' }).click()
    expect([await value('fruit'), await country().innerText()]).toEqual(['61', 'fig 61'])
    expect(scene.errors).toEqual([])
  })

  it('SEL-01 SEL-02 says that it searches, that more comes, and that it failed', async () => {
    let answer: (reply: object) => void = () => {}
    scene.shop.at(
      '/fruit',
      () =>
        new Promise((done) => {
          answer = done
        }),
    )
    await start(remote())
    await country().click()
    expect(await message()).toBe('Searching…')
    const results = Array.from({ length: 20 }, (_, id) => ({ id: id + 1, text: `Fig ${id}` }))
    await eventually(() => asked().length).toBe(1)
    answer({ json: { results, pagination: { more: true } } })
    await eventually(() => options().count()).toBe(20)
    await scene.page.locator('.select2-results__options').evaluate((it) => it.scrollTo(0, it.scrollHeight))
    await eventually(message).toBe('Loading more results…')
    await eventually(() => asked().length).toBe(2)
    answer({ json: { results: [], pagination: { more: false } } })
    await eventually(message).toBe('')
    await field().fill('x')
    await eventually(() => asked().length).toBe(3)
    answer({ status: 500, body: 'out of order' })
    await eventually(message).toBe('The results could not be loaded.')
  })

  it('SEL-02 an answer to what is no longer asked is not shown', async () => {
    let answerSlow = () => {}
    scene.shop.at('/fruit', async ({ path }) => {
      const term = new URLSearchParams(path.split('?')[1]).get('q') ?? ''
      if (term === 'slow')
        await new Promise<void>((done) => {
          answerSlow = done
        })
      return { json: { results: [{ id: term || 'all', text: `${term} one` }] } }
    })
    await start(remote())
    await country().click()
    await field().fill('slow')
    await field().fill('quick')
    await eventually(texts).toEqual(['quick one'])
    answerSlow()
    await settled(scene.page)
    expect(await texts()).toEqual(['quick one'])
  })
})
