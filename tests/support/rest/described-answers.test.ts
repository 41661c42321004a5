import { describe, expect, it } from 'vitest'
import { answerChecks, faultsOf } from './described-answers.ts'

const user = { id: 7, name: 'Ada', slug: 'ada', woocommerce_meta: { coming_soon_banner_dismissed: 'no' } }
const request = (path: string, init?: RequestInit) => new Request(`https://shop.example${path}`, init)
const place = '/wp-json/wp/v2/users/7'
const faults = (body: unknown, init: ResponseInit = {}, asked = request(place)) =>
  faultsOf(asked, Response.json(body, init), JSON.stringify(body))

describe('the check of answers against the description', () => {
  it('accepts an answer that is as described, and every answer of a route that is not described', () => {
    expect(faults(user)).toEqual([])
    expect(faults({}, {}, request('/wp-json/wc/v9/users/7'))).toEqual([])
    expect(faults({}, {}, request('/shop/'))).toEqual([])
  })

  it('names a missing member, another type, and a member that is not described', () => {
    const { name: _, ...nameless } = user
    expect(faults(nameless).join()).toContain("must have required property 'name'")
    expect(faults({ ...user, id: '7' }).join()).toContain('body/id must be number')
    expect(faults({ ...user, email: 'a@b.example' }).join()).toContain('"additionalProperty":"email"')
  })

  it('names a status, a header and a content type that are not described, and an error without its code', () => {
    expect(faults(user, { status: 204 + 2 }).join()).toContain('status 206 is not described')
    expect(faults([], {}, request('/wp-json/wp/v2/media'))).toEqual([
      'header X-WP-Total is missing',
      'header X-WP-TotalPages is missing',
    ])
    expect(faultsOf(request(place), new Response('oops', { status: 404 }), 'oops').join()).toContain('content type')
    expect(faults({ message: 'No.' }, { status: 403 }).join()).toContain("required property 'code'")
    const posted = request(place, { method: 'POST', headers: { 'X-HTTP-Method-Override': 'PUT' } })
    expect(faults({ id: 1 }, {}, posted).join()).toContain("required property 'name'")
  })

  it('takes an answer to `_fields` as a part, without other members', () => {
    const media = '/wp-json/wp/v2/media?_fields=id'
    const paged = { headers: { 'X-WP-Total': '1', 'X-WP-TotalPages': '1' } }
    expect(faults([{ id: 1 }], paged, request(media))).toEqual([])
    expect(faults([{ id: 1 }], paged, request('/wp-json/wp/v2/media?_fields[]=id'))).toEqual([])
    expect(faults([{ id: 1, made_up: 1 }], paged, request(media))).toHaveLength(1)
  })

  it('fails a test’s shop when it closes, and leaves the answer itself as it is', async () => {
    const { wrap, report } = answerChecks()
    report()
    const app = wrap(async () => Response.json({ ...user, id: null }, { headers: { 'X-Own': '1' } }))
    const answer = await app(request(place), { ip: '127.0.0.1' })
    expect([answer.headers.get('x-own'), await answer.json()]).toEqual(['1', { ...user, id: null }])
    expect(report).toThrow(
      /GET \/wp-json\/wp\/v2\/users\/7 \(200\), in ".*leaves the answer.*\n {2}body\/id must be number/,
    )
  })
})
