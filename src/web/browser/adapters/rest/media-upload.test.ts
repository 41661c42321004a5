import { describe, expect, it } from 'vitest'
import { aRest, json, refused, text, thrownBy } from '#tests/support/rest/rest-fixtures.ts'

const kept = { 'X-WP-Upload-Attachment-ID': '12' }
const unfinished = text('<h1>Internal server error</h1>', 500, kept)
const upload = { path: '/wp/v2/media', method: 'POST', body: new FormData() }

describe('an upload', () => {
  it('REST-04 that arrived without its sizes is asked for them until they are there', async () => {
    const { rest, sent } = aRest([unfinished, text('', 500), text('', 502), json({ id: 12 })], { nonce: 'aaaa' })
    expect(await rest(upload)).toEqual({ id: 12 })
    expect(sent.map(({ url, method }) => `${method} ${url}`)).toEqual([
      'POST https://shop.test/wp-json/wp/v2/media?_locale=user',
      ...Array(3).fill('POST https://shop.test/wp-json/wp/v2/media/12/post-process?_locale=user'),
    ])
    expect(sent[1]).toMatchObject({ body: '{"action":"create-image-subsizes"}', headers: { 'X-WP-Nonce': 'aaaa' } })
  })

  it('REST-04 is asked five times, then taken back, and the error says so', async () => {
    const { rest, sent } = aRest([unfinished, text('', 500)])
    const error = await thrownBy(rest(upload))
    expect(error).toMatchObject({ code: 'post_process', message: expect.stringMatching(/sizes could not be made/) })
    expect(sent.filter(({ url }) => url.includes('/post-process')).length).toBe(5)
    expect(sent.at(-1)).toMatchObject({
      url: 'https://shop.test/wp-json/wp/v2/media/12?force=true&_locale=user',
      method: 'POST',
      headers: { 'X-HTTP-Method-Override': 'DELETE' },
      init: { keepalive: true },
    })
    expect(sent.length).toBe(7)
  })

  it('REST-04 gives the first answer where the raw one is wanted', async () => {
    const failed = aRest([unfinished, text('', 500)])
    const error = await thrownBy(failed.rest({ ...upload, parse: false }))
    expect(await (error as Response).text()).toBe('<h1>Internal server error</h1>')
    const finished = aRest([unfinished, json({ id: 12 })])
    expect(await (await finished.rest({ ...upload, parse: false })).json()).toEqual({ id: 12 })
  })

  it.each([
    ['succeeded', json({ id: 12 }, 201, kept), { id: 12 }],
    ['was refused', text('{"code":"rest_cannot_create","message":"No."}', 403, kept), null],
    ['failed before anything was kept', text('{"code":"db","message":"No."}', 500), null],
    ['names no attachment', text('{"code":"db","message":"No."}', 500, { 'X-WP-Upload-Attachment-ID': '../7' }), null],
  ])('REST-04 that %s is left alone', async (_, answer, given) => {
    const { rest, sent } = aRest(answer)
    const result = await rest(upload).catch(({ code }) => code)
    expect(result).toEqual(given ?? expect.stringMatching(/^(rest_cannot_create|db)$/))
    expect(sent.length).toBe(1)
  })

  it('REST-04 REST-03 with an old nonce is sent again with a fresh one', async () => {
    const stale = refused('rest_cookie_invalid_nonce')
    const { rest, sent } = aRest([stale, text('new1'), json({ id: 12 }, 201)], { nonceEndpoint: 'https://shop.test/n' })
    expect(await rest(upload)).toEqual({ id: 12 })
    expect(sent[2]).toMatchObject({ body: upload.body, headers: { 'X-WP-Nonce': 'new1' } })
  })

  it('REST-04 that is given up is asked for no more, and taken back', async () => {
    const giveUp = new AbortController()
    const reason = new Error('the window was closed')
    const { rest, sent } = aRest(({ url, init }) => {
      if (init.signal?.aborted) throw init.signal.reason
      if (url.includes('/post-process')) {
        giveUp.abort(reason)
        throw reason
      }
      return unfinished()
    })
    expect(await thrownBy(rest({ ...upload, signal: giveUp.signal }))).toBe(reason)
    expect(sent.map(({ headers }) => headers['X-HTTP-Method-Override'])).toEqual([undefined, undefined, 'DELETE'])
  })

  it('REST-04 only uploads are seen through so', async () => {
    for (const request of [{ path: '/wp/v2/media' }, { path: '/wp/v2/posts', method: 'POST' }]) {
      const { rest, sent } = aRest(unfinished)
      expect(await thrownBy(rest(request))).toMatchObject({ code: 'invalid_json' })
      expect(sent.length).toBe(1)
    }
  })
})
