import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { restHeaders } from '#contract/shared/rest.ts'
import { urls } from '#contract/shared/urls.ts'
import { type Staff, staffMember } from '#tests/support/customers/staff.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { createRest } from '#web/browser/adapters/rest/rest.ts'

let shop: TestShop
let manager: Staff
let translator: Staff
beforeAll(async () => {
  shop = await aShop()
  manager = await staffMember(shop, 'mara@example.test', 'shop_manager')
  translator = await staffMember(shop, 'tom@example.test', 'translator')
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await shop.db.sql`delete from rate_limits`
})

const me = () => urls.restUser(manager.id)
const dismissed = (value: string) => JSON.stringify({ woocommerce_meta: { coming_soon_banner_dismissed: value } })
const json = (nonce = manager.nonce('wp_rest')) => ({ 'content-type': 'application/json', 'x-wp-nonce': nonce })
const flag = async (answer: Promise<Response>) =>
  (await (await answer).json()).woocommerce_meta?.coming_soon_banner_dismissed
const record = () => flag(manager.send(me(), { headers: json() }))

describe('the method that a request means', () => {
  it.each([
    ['PUT', {}],
    ['PATCH', {}],
    ['POST', {}],
    ['POST', { [restHeaders.methodOverride]: 'PUT' }],
    ['POST', { [restHeaders.methodOverride]: 'patch' }],
    ['POST', { [restHeaders.methodOverride]: 'POST' }],
  ])('REST-02 is heard by %s %o', async (method, named) => {
    const value = (await record()) === 'yes' ? 'no' : 'yes'
    const headers = { ...json(), ...named }
    expect(await flag(manager.send(`${me()}?_locale=user`, { method, headers, body: dismissed(value) }))).toBe(value)
    expect(await record()).toBe(value)
  })

  it.each(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'DELETE', 'x', 'PUT, GET', 'P'.repeat(8000)])(
    'REST-02 is none where it is named %.40s: nothing is changed and nothing told',
    async (named) => {
      const before = await record()
      const value = before === 'yes' ? 'no' : 'yes'
      const headers = { ...json(), [restHeaders.methodOverride]: named }
      const answer = await manager.send(me(), { method: 'POST', headers, body: dismissed(value) })
      expect([answer.status, (await answer.json()).code]).toEqual([405, 'method_not_allowed'])
      expect(answer.headers.get('allow')).toBe('POST, PUT, PATCH, GET')
      expect(await record()).toBe(before)
    },
  )

  it('REST-02 is named in vain on requests that only read, and at other doors', async () => {
    const before = await record()
    const reading = await manager.send(me(), { headers: { ...json(), [restHeaders.methodOverride]: 'PUT' } })
    expect([reading.status, await flag(Promise.resolve(reading))]).toEqual([200, before])
    const fragments = await manager.send(urls.wcAjax('get_refreshed_fragments'), {
      method: 'POST',
      headers: { [restHeaders.methodOverride]: 'DELETE' },
    })
    expect(fragments.status).toBe(200)
  })

  it.each([
    [{ origin: 'https://evil.example' }, 'foreign_origin'],
    [{ 'sec-fetch-site': 'cross-site' }, 'foreign_origin'],
    [{ 'x-wp-nonce': '0123456789' }, 'rest_cookie_invalid_nonce'],
    [{ 'x-wp-nonce': '' }, 'rest_cookie_invalid_nonce'],
  ])('REST-02 changes nothing of what is checked: %o', async (wrong, code) => {
    const before = await record()
    for (const sent of [
      { method: 'PATCH', named: {} },
      { method: 'POST', named: { [restHeaders.methodOverride]: 'PATCH' } },
    ]) {
      const headers = { ...json(), ...sent.named, ...wrong }
      const answer = await manager.send(me(), { method: sent.method, headers, body: dismissed('yes') })
      expect([answer.status, (await answer.json()).code]).toEqual([403, code])
    }
    expect(await record()).toBe(before)
  })
})

describe('a fresh nonce', () => {
  it('REST-03 is given as plain text to whoever asks, for that one alone, and kept by nobody', async () => {
    const answer = await manager.send(`${urls.adminAjax}?action=rest-nonce`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=UTF-8')
    expect(answer.headers.get('cache-control')).toContain('no-store')
    const nonce = await answer.text()
    expect(nonce).toBe(manager.nonce('wp_rest'))
    expect((await manager.send(me(), { headers: json(nonce) })).status).toBe(200)
    expect((await translator.send(me(), { headers: json(nonce) })).status).toBe(403)
    expect(await (await fetch(`${shop.url}${urls.adminAjax}?action=rest-nonce`)).text()).toMatch(/^[0-9a-f]{10}$/)
  })

  it('REST-03 lets the client go on after half a day in another window', async () => {
    const sent: string[] = []
    const rest = createRest({
      root: `${shop.url}/wp-json/`,
      nonce: '0123456789',
      nonceEndpoint: `${shop.url}${urls.adminAjax}?action=rest-nonce`,
      fetch: (url, init) => {
        sent.push(`${init.method ?? 'GET'} ${new URL(url).pathname}`)
        const headers = Object.fromEntries(new Headers(init.headers))
        return manager.send(url.slice(shop.url.length), {
          ...(init.method ? { method: init.method } : {}),
          headers,
          body: init.body ?? null,
        })
      },
    })
    const data = { woocommerce_meta: { coming_soon_banner_dismissed: 'yes' } }
    expect(await rest({ path: `wp/v2/users/${manager.id}`, method: 'PUT', data })).toMatchObject({ id: manager.id })
    expect(sent).toEqual([`POST ${me()}`, `GET ${urls.adminAjax}`, `POST ${me()}`])
    expect(await record()).toBe('yes')
  })

  it('an unknown call at that door is none', async () => {
    const answer = await manager.send(`${urls.adminAjax}?action=rest-nonces`)
    expect([answer.status, await answer.text()]).toEqual([400, '0'])
  })
})

describe("a member of the staff's own record", () => {
  it('STORE-02 is shown to that one alone', async () => {
    const other = await staffMember(shop, 'olga@example.test', 'shop_manager')
    const statusOf = async (who: Staff, id: number, method = 'GET') => {
      const body = method === 'GET' ? null : dismissed('yes')
      const answer = await who.send(urls.restUser(id), { method, headers: json(who.nonce('wp_rest')), body })
      return [answer.status, (await answer.json()).code]
    }
    expect(await statusOf(manager, manager.id)).toEqual([200, undefined])
    for (const method of ['GET', 'PUT', 'PATCH', 'POST']) {
      const code = method === 'GET' ? 'rest_forbidden' : 'rest_cannot_edit'
      expect(await statusOf(manager, other.id, method)).toEqual([403, code])
      expect(await statusOf(manager, 999_999, method)).toEqual([403, code])
      expect(await statusOf(translator, translator.id, method)).toEqual([403, code])
    }
    const stranger = await fetch(shop.url + me(), { headers: json(await strangersNonce()) })
    expect([stranger.status, (await stranger.json()).code]).toEqual([401, 'rest_forbidden'])
  })

  it.each(['0', '-1', '1.5', 'me', '1e999', '%00', '9'.repeat(400)])('the id %.20s is none', async (id) => {
    const answer = await manager.send(`/wp-json/wp/v2/users/${id}`, { headers: json() })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  })
})

const strangersNonce = async () => (await fetch(`${shop.url}${urls.adminAjax}?action=rest-nonce`)).text()

describe('a language in a REST call', () => {
  it('REST-01 that is asked for as the user’s is taken by every route, and changes nothing', async () => {
    for (const path of [me(), urls.rest('wp/v2/media')]) {
      const [plain, user] = await Promise.all(
        [path, `${path}?_locale=user`].map(async (one) => (await manager.send(one, { headers: json() })).text()),
      )
      expect(user).toBe(plain)
    }
    const refresh = await manager.send(`${urls.paypalRest('cart/refresh')}?_locale=user`, {
      method: 'POST',
      headers: json(),
      body: JSON.stringify({ page: 'cart' }),
    })
    expect(refresh.status).toBe(200)
  })
})
