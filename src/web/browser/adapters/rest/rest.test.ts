import { describe, expect, it } from 'vitest'
import { aRest, json, refused, text, thrownBy } from '#tests/support/rest/rest-fixtures.ts'
import { restWords } from './rest-error.ts'

describe('what is asked', () => {
  it('REST-01 carries the nonce, the language of the user, and what it takes', async () => {
    const { rest, sent } = aRest(json({ id: 7 }), { nonce: 'aaaa' })
    expect(await rest({ path: '/wp/v2/users/7' })).toEqual({ id: 7 })
    expect(sent).toMatchObject([
      {
        url: 'https://shop.test/wp-json/wp/v2/users/7?_locale=user',
        method: 'GET',
        headers: { 'X-WP-Nonce': 'aaaa', Accept: 'application/json, */*;q=0.1' },
        init: { credentials: 'include' },
      },
    ])
    expect(sent[0]?.headers).not.toHaveProperty('Content-Type')
  })

  it.each([
    [{ path: 'a/b?x=1' }, 'https://shop.test/wp-json/a/b?x=1&_locale=user'],
    [{ path: '/a?_locale=site' }, 'https://shop.test/wp-json/a?_locale=site'],
    [{ path: '/a?x_locale=1#part' }, 'https://shop.test/wp-json/a?x_locale=1&_locale=user#part'],
    [{ url: 'https://shop.test/elsewhere?q=a%20b' }, 'https://shop.test/elsewhere?q=a%20b&_locale=user'],
    [{ namespace: '/wp/v2/', endpoint: '/posts/' }, 'https://shop.test/wp-json/wp/v2/posts?_locale=user'],
    [{ namespace: 'wp/v2', endpoint: '' }, 'https://shop.test/wp-json/wp/v2?_locale=user'],
  ])('REST-01 REST-05 %o goes to %s', async (request, url) => {
    const { rest, sent } = aRest(json(null))
    await rest(request)
    expect(sent[0]?.url).toBe(url)
  })

  it('REST-05 a root that is a query takes paths with queries of their own', async () => {
    const { rest, sent } = aRest(json(null), { root: 'https://shop.test/?rest_route=/' })
    await rest({ path: '/wp/v2/posts?page=2&search=why?' })
    expect(sent[0]?.url).toBe('https://shop.test/?rest_route=/wp/v2/posts&page=2&search=why?&_locale=user')
  })

  it('says so when it is told no address, or to send a body with GET', async () => {
    const { rest, sent } = aRest(json(null))
    await expect(rest({})).rejects.toThrow('neither a path nor a URL')
    await expect(rest({ path: 'a', data: { x: 1 } })).rejects.toThrow('GET request has no body')
    expect(sent).toEqual([])
  })

  it('data goes as JSON, a body as it is', async () => {
    const { rest, sent } = aRest(json(null))
    await rest({ path: 'a', method: 'POST', data: { ä: [1, null] } })
    const form = new FormData()
    await rest({ path: 'a', method: 'POST', body: form })
    await rest({ path: 'a', method: 'POST', data: 'x', headers: { 'content-type': 'text/x', accept: 'text/y' } })
    expect(sent[0]).toMatchObject({ headers: { 'Content-Type': 'application/json' }, body: '{"ä":[1,null]}' })
    expect(sent[1]?.body).toBe(form)
    expect(sent[1]?.headers).not.toHaveProperty('Content-Type')
    expect(sent[2]?.headers).toEqual({ 'content-type': 'text/x', accept: 'text/y' })
  })

  it.each(['PUT', 'PATCH', 'DELETE', 'delete'])('REST-02 %s goes as POST and says what it means', async (method) => {
    const { rest, sent } = aRest(json(null))
    await rest({ path: 'a', method, data: { x: 1 }, headers: { 'content-type': 'text/plain', 'X-Own': '1' } })
    expect(sent[0]).toMatchObject({ method: 'POST', body: '{"x":1}' })
    expect(sent[0]?.headers).toEqual({
      Accept: 'application/json, */*;q=0.1',
      'Content-Type': 'application/json',
      'X-HTTP-Method-Override': method.toUpperCase(),
      'X-Own': '1',
    })
  })

  it('REST-02 a form sent by PUT keeps the type that says where its parts end', async () => {
    const { rest, sent } = aRest(json(null))
    await rest({ path: 'a', method: 'PUT', body: new FormData() })
    expect(sent[0]?.headers).toEqual({ Accept: 'application/json, */*;q=0.1', 'X-HTTP-Method-Override': 'PUT' })
  })

  it.each(['POST', 'OPTIONS'])('REST-02 %s goes as it is', async (method) => {
    const { rest, sent } = aRest(json(null))
    await rest({ path: 'a', method })
    expect(sent[0]).toMatchObject({ method })
    expect(sent[0]?.headers).not.toHaveProperty('X-HTTP-Method-Override')
  })

  it('REST-01 a nonce that is there already stays, an older one in whatever case goes', async () => {
    const { rest, sent } = aRest(json(null), { nonce: 'new1' })
    await rest({ path: 'a', headers: { 'x-wp-nonce': 'new1' } })
    await rest({ path: 'a', headers: { 'x-wp-nonce': 'old1', 'X-Wp-Nonce': 'old2' } })
    const names = (at: number) => Object.entries(sent[at]?.headers ?? {}).filter(([name]) => /nonce/i.test(name))
    expect([names(0), names(1)]).toEqual([[['x-wp-nonce', 'new1']], [['X-WP-Nonce', 'new1']]])
  })

  it('REST-01 the nonce goes to no other server', async () => {
    const { rest, sent } = aRest(json(null), { nonce: 'aaaa' })
    await rest({ url: 'https://other.test/wp-json/a' })
    await rest({ url: '//other.test/wp-json/a' })
    await rest({ url: '/wp-json/a' }).catch(() => undefined)
    expect(sent.slice(0, 2).map(({ headers }) => headers['X-WP-Nonce'])).toEqual([undefined, undefined])
  })
})

describe('what stands around a call', () => {
  it('what was added last is outermost, all of it outside of what is built in', async () => {
    const seen: string[] = []
    const { rest } = aRest(json('answer'), { nonce: 'aaaa' })
    for (const name of ['first', 'second']) {
      rest.use(async (request, next) => {
        seen.push(`${name} ${request.path} ${request.url} ${request.method} ${Object.keys(request.headers ?? {})}`)
        return `${name}(${await next(request)})`
      })
    }
    expect(await rest({ path: 'a', method: 'PUT' })).toBe('second(first(answer))')
    expect(seen).toEqual(['second a undefined PUT ', 'first a undefined PUT '])
  })

  it('may answer by itself', async () => {
    const { rest, sent } = aRest(json('server'))
    rest.use((request, next) => (request.path === 'a' ? Promise.resolve('own') : next(request)))
    expect([await rest({ path: 'a' }), await rest({ path: 'b' }), sent.length]).toEqual(['own', 'server', 1])
  })

  it('an answer that came with the page is given once, however the question is written', async () => {
    const { rest, sent } = aRest(json('server'), {
      prepared: {
        '/wp/v2/posts?b=2&a=1': { body: ['prepared'], headers: { 'X-WP-Total': '9' } },
        OPTIONS: { '/wp/v2/posts': { body: {}, headers: { Allow: 'GET, POST' } } },
      },
    })
    expect(await rest({ path: 'wp/v2/posts?a=1&b=2' })).toEqual(['prepared'])
    expect(await rest({ path: 'wp/v2/posts?a=1&b=2' })).toBe('server')
    const options = await rest({ path: '/wp/v2/posts', method: 'OPTIONS', parse: false })
    expect([options.headers.get('allow'), await options.json()]).toEqual(['GET, POST', {}])
    expect(await rest({ path: '/wp/v2/posts', method: 'POST' })).toBe('server')
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  it('a prepared answer is found under an address without written-out paths', async () => {
    const root = 'https://shop.test/?rest_route=/'
    const { rest, sent } = aRest(json('server'), { root, prepared: { 'wp/v2/posts?a=1': { body: 'prepared' } } })
    expect(await rest({ url: `${root}wp/v2/posts&a=1` })).toBe('prepared')
    expect(sent).toEqual([])
  })
})

describe('what is answered', () => {
  it('nothing is null, and the raw answer whatever it is where that is wanted', async () => {
    const { rest } = aRest([text('', 200), json({ a: 1 }), refused('no', 404)])
    const { rest: silent } = aRest(() => new Response(null, { status: 204 }))
    expect(await silent({ path: 'a', method: 'DELETE' })).toBeNull()
    expect((await thrownBy(rest({ path: 'a' }))) as object).toMatchObject({ code: 'invalid_json' })
    expect(await (await rest({ path: 'a', parse: false })).text()).toBe('{"a":1}')
    const refusal = await thrownBy(rest({ path: 'a', parse: false }))
    expect(refusal).toBeInstanceOf(Response)
    expect((refusal as Response).status).toBe(404)
  })

  it('REST-07 an error of the server comes as it is, with all its members', async () => {
    const body = { code: 'rest_forbidden', message: 'Not you.', data: { status: 401 }, additional_errors: [1] }
    const error = await thrownBy(aRest(json(body, 401)).rest({ path: 'a' }))
    expect(error).toMatchObject({ ...body, status: 401 })
    expect(JSON.parse(JSON.stringify(error))).toEqual({ code: body.code, message: body.message, data: body.data })
  })

  it.each([
    ['<h1>Bad gateway</h1>', 502],
    ['{"a":', 200],
    ['', 500],
  ])('REST-07 %j with status %i is no JSON, and the text says so', async (body, status) => {
    const error = await thrownBy(aRest(text(body, status)).rest({ path: 'a' }))
    expect(error).toMatchObject({ code: 'invalid_json', message: 'The response is not a valid JSON response.', status })
  })

  it.each(['null', '{}', '[]', '"no"', '{"code":5,"message":""}'])(
    'REST-07 %s says nothing of what is wrong: an unknown error',
    async (body) => {
      const error = await thrownBy(aRest(text(body, 500)).rest({ path: 'a' }))
      expect(error).toMatchObject({ code: 'unknown_error', message: 'An unknown error occurred.', status: 500 })
    },
  )

  it('REST-07 no answer means that one is probably offline', async () => {
    const cause = new TypeError('Failed to fetch')
    const { rest } = aRest(() => Promise.reject(cause))
    const error = await thrownBy(rest({ path: 'a' }))
    expect(error).toMatchObject({ code: 'fetch_error', message: 'You are probably offline.', cause })
    const raw = await thrownBy(rest({ path: 'a', parse: false }))
    expect(raw).toMatchObject({ code: 'fetch_error' })
  })

  it('REST-07 a connection that goes while the answer comes is no bad JSON', async () => {
    const cut = () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{"a":'))
            controller.error(new TypeError('terminated'))
          },
        }),
      )
    expect(await thrownBy(aRest(cut).rest({ path: 'a' }))).toMatchObject({ code: 'fetch_error' })
  })

  it('REST-07 the texts are those that the page hands in', async () => {
    const { rest } = aRest(text('<'), { words: { invalidJson: 'Keine gültige Antwort.' } })
    expect(await thrownBy(rest({ path: 'a' }))).toMatchObject({ message: 'Keine gültige Antwort.' })
    expect(Object.values(restWords).every((words) => words.length > 10)).toBe(true)
  })

  it('REST-07 what was given up is no failure of the network', async () => {
    const { rest } = aRest(async ({ init }) => {
      init.signal?.throwIfAborted()
      return Response.json(null)
    })
    const error = await thrownBy(rest({ path: 'a', signal: AbortSignal.abort() }))
    expect(error).toMatchObject({ name: 'AbortError' })
    const reason = new Error('the panel was closed')
    expect(await thrownBy(rest({ path: 'a', signal: AbortSignal.abort(reason) }))).toBe(reason)
  })
})

describe('a nonce that is no longer good', () => {
  const stale = refused('rest_cookie_invalid_nonce')
  const options = { nonce: 'old1', nonceEndpoint: 'https://shop.test/wp-admin/admin-ajax.php?action=rest-nonce' }

  it('REST-03 is fetched anew, and the whole request sent once more', async () => {
    const { rest, sent } = aRest([stale, text('new1\n'), json('done')], options)
    expect(await rest({ path: 'a', method: 'PUT', data: { x: 1 } })).toBe('done')
    expect(sent.map(({ url, method, headers }) => [url, method, headers['X-WP-Nonce']])).toEqual([
      ['https://shop.test/wp-json/a?_locale=user', 'POST', 'old1'],
      [options.nonceEndpoint, 'GET', undefined],
      ['https://shop.test/wp-json/a?_locale=user', 'POST', 'new1'],
    ])
    expect(sent[2]).toMatchObject({ body: '{"x":1}', headers: { 'X-HTTP-Method-Override': 'PUT' } })
    await rest({ path: 'b' })
    expect(sent[3]?.headers['X-WP-Nonce']).toBe('new1')
  })

  it('REST-03 is fetched anew once and no more', async () => {
    const { rest, sent } = aRest([stale, text('new1'), stale], options)
    expect(await thrownBy(rest({ path: 'a' }))).toMatchObject({ code: 'rest_cookie_invalid_nonce' })
    expect(sent.length).toBe(3)
  })

  it.each([
    ['is refused', text('0', 400)],
    ['gives a page', text('<!doctype html><title>Log in</title>')],
    ['does not answer', () => Promise.reject(new TypeError('down'))],
  ])('REST-03 stays the answer where fetching another %s', async (_, endpoint) => {
    const { rest, sent } = aRest([stale, endpoint], options)
    expect(await thrownBy(rest({ path: 'a' }))).toMatchObject({ code: 'rest_cookie_invalid_nonce', message: 'No.' })
    expect(sent.length).toBe(2)
  })

  it('REST-03 is the only refusal that is repeated', async () => {
    const { rest, sent } = aRest(refused('rest_forbidden'), options)
    expect(await thrownBy(rest({ path: 'a' }))).toMatchObject({ code: 'rest_forbidden' })
    expect(sent.length).toBe(1)
    const without = aRest(stale)
    expect(await thrownBy(without.rest({ path: 'a' }))).toMatchObject({ code: 'rest_cookie_invalid_nonce' })
  })

  it('REST-03 is found out of raw answers as well', async () => {
    const { rest } = aRest([stale, text('new1'), json({ a: 1 }), refused('rest_forbidden')], options)
    expect(await (await rest({ path: 'a', parse: false })).json()).toEqual({ a: 1 })
    const refusal = await thrownBy(rest({ path: 'a', parse: false }))
    expect(await (refusal as Response).json()).toMatchObject({ code: 'rest_forbidden' })
  })

  it('REST-03 is fetched once for all calls that it stopped', async () => {
    const { rest, sent } = aRest(({ url, headers }) => {
      if (url === options.nonceEndpoint) return new Response('new1')
      return headers['X-WP-Nonce'] === 'new1' ? Response.json('done') : stale()
    }, options)
    expect(await Promise.all(['a', 'b', 'c'].map((path) => rest({ path })))).toEqual(['done', 'done', 'done'])
    expect(sent.filter(({ url }) => url === options.nonceEndpoint).length).toBe(1)
  })

  it('REST-01 gives way to the one that an answer brings', async () => {
    const { rest, sent } = aRest(json('done', 200, { 'X-WP-Nonce': 'new2' }), options)
    await rest({ path: 'a' })
    await rest({ path: 'b' })
    expect(sent.map(({ headers }) => headers['X-WP-Nonce'])).toEqual(['old1', 'new2'])
  })
})
