import { describe, expect, it } from 'vitest'
import { aRest, json, refused, text, thrownBy } from '#tests/support/rest/rest-fixtures.ts'

const following = (url: string) => ({ Link: `<https://shop.test/first>; rel="first", <${url}>; rel="next"` })
const page2 = 'https://shop.test/wp-json/wp/v2/media?per_page=100&page=2'
const page3 = 'https://shop.test/wp-json/wp/v2/media?per_page=100&page=3'

describe('a list that is asked for whole', () => {
  it('REST-06 comes in pages of a hundred, each where the one before says', async () => {
    const { rest, sent } = aRest([json([1, 2], 200, following(page2)), json([3], 200, following(page3)), json([4])], {
      nonce: 'aaaa',
    })
    expect(await rest({ path: '/wp/v2/media?per_page=-1&search=mug' })).toEqual([1, 2, 3, 4])
    expect(sent.map(({ url }) => url)).toEqual([
      'https://shop.test/wp-json/wp/v2/media?per_page=100&search=mug&_locale=user',
      page2,
      page3,
    ])
    expect(sent.every(({ headers }) => headers['X-WP-Nonce'] === 'aaaa')).toBe(true)
  })

  it('REST-06 is known by its address, too, and by the parameter alone', async () => {
    const { rest, sent } = aRest(json([1]))
    await rest({ url: 'https://shop.test/list?per_page=-1' })
    await rest({ url: 'https://shop.test/list?my_per_page=-1&per_page=-10' })
    expect(sent.map(({ url }) => url)).toEqual([
      'https://shop.test/list?per_page=100&_locale=user',
      'https://shop.test/list?my_per_page=-1&per_page=-10&_locale=user',
    ])
  })

  it('REST-06 that is no list comes as it is', async () => {
    const { rest, sent } = aRest(json({ id: 1 }, 200, following(page2)))
    expect(await rest({ path: 'a?per_page=-1' })).toEqual({ id: 1 })
    expect(sent.length).toBe(1)
  })

  it('REST-06 is left alone where the raw answer is wanted', async () => {
    const { rest, sent } = aRest(json([1], 200, following(page2)))
    expect(await rest({ path: 'a?per_page=-1', parse: false })).toBeInstanceOf(Response)
    expect(sent.map(({ url }) => url)).toEqual(['https://shop.test/wp-json/a?per_page=-1&_locale=user'])
  })

  it('REST-06 keeps lists within a list as they are', async () => {
    const { rest } = aRest([json([[1], [2]], 200, following(page2)), json([[3]])])
    expect(await rest({ path: 'a?per_page=-1' })).toEqual([[1], [2], [3]])
  })

  it('REST-06 fails whole when one of its pages does', async () => {
    const broken = aRest([json([1], 200, following(page2)), refused('rest_forbidden')])
    expect(await thrownBy(broken.rest({ path: 'a?per_page=-1' }))).toMatchObject({ code: 'rest_forbidden' })
    const garbled = aRest([json([1], 200, following(page2)), text('<')])
    expect(await thrownBy(garbled.rest({ path: 'a?per_page=-1' }))).toMatchObject({ code: 'invalid_json' })
    const gone = aRest([json([1], 200, following(page2)), () => Promise.reject(new TypeError('down'))])
    expect(await thrownBy(gone.rest({ path: 'a?per_page=-1' }))).toMatchObject({ code: 'fetch_error' })
  })

  it('REST-06 ends when its pages lead in a circle', async () => {
    const { rest, sent } = aRest(json([1], 200, following(page2)))
    expect(await rest({ path: 'a?per_page=-1' })).toEqual([1, 1])
    expect(sent.length).toBe(2)
  })

  it('REST-06 gives the nonce to no other server that a page names', async () => {
    const { rest, sent } = aRest([json([1], 200, following('https://other.test/?page=2')), json([2])], {
      nonce: 'aaaa',
    })
    expect(await rest({ path: 'a?per_page=-1' })).toEqual([1, 2])
    expect(sent.map(({ headers }) => headers['X-WP-Nonce'])).toEqual(['aaaa', undefined])
  })
})
