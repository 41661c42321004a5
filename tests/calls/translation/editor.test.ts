import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EditedText } from '#contract/translation/edit-translations.ts'
import { editorNonces, editorParameter, editorUrl } from '#contract/translation/editor.ts'
import { editParameter } from '#contract/translation/translate.ts'
import { saveOriginalsForIds } from '#database/translation/translations.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
let translator: Customer
let other: Customer
let customer: Customer
let mug: number
let addToCart: number

const ajax = '/wp-admin/admin-ajax.php'
const save = (who: Customer, fields: Record<string, unknown>, nonce = who.nonce(editorNonces.calls)) =>
  who.post(ajax, {
    action: 'trp_save_translations_regular',
    security: nonce,
    language: 'de-DE',
    status: '2',
    ...Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
  })
const saidBy = (text: EditedText | null | undefined, form: '' | 'one' | 'other' = '') => text?.said['de-DE']?.[form]

beforeAll(async () => {
  shop = await aShop({
    settings: { languages: [{ tag: 'de-DE' }, { tag: 'ar' }, { tag: 'fr-FR', published: false }] },
  })
  const staff = async (email: string, role: string) => {
    const one = aCustomer(shop, email)
    await one.register()
    await shop.db.sql`update customers set role = ${role} where email = ${email}`
    await one.logOut()
    await one.logIn()
    return one
  }
  translator = await staff('tessa@example.test', 'translator')
  other = await staff('otto@example.test', 'shop_manager')
  customer = await staff('cara@example.test', 'customer')
  const ids = await saveOriginalsForIds(
    shop.db.kysely,
    [
      { area: 'content', text: 'Plain mug' },
      { area: 'interface', text: 'Add to cart' },
    ],
    new Date(),
  )
  mug = ids[0] ?? 0
  addToCart = ids[1] ?? 0
})
afterAll(() => shop.close())

const frameOf = (who: Customer, path: string, key = who.nonce(editorNonces.frame)) =>
  who.send(editorUrl(path, key), { headers: { accept: 'text/html' } })

describe('who may translate', () => {
  it('TRN-10 a stranger is asked to log in, a customer finds nothing, a translator and a manager get the editor', async () => {
    const stranger = aCustomer(shop, 'nobody@example.test')
    for (const path of ['/translate/', '/translate/texts/', '/translate/mail/new_order/']) {
      expect(await stranger.page(path)).toContain('name="password"')
      expect((await customer.send(path, { headers: { accept: 'text/html' } })).status).toBe(404)
      const page = await translator.send(path, { headers: { accept: 'text/html' } })
      expect(page.status).toBe(200)
      expect(page.headers.get('cache-control')).toBe('private, no-store')
      expect(page.headers.get('x-robots-tag')).toContain('noindex')
      expect(page.headers.get('x-frame-options')).toBe('DENY')
      expect((await other.send(path, { headers: { accept: 'text/html' } })).status).toBe(200)
    }
    const policy = (await translator.send('/translate/')).headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe-inline')
  })

  it('the account of who may leads there', async () => {
    expect(await translator.page('/de/my-account/')).toContain('href="/de/translate/"')
    expect(await customer.page('/de/my-account/')).not.toContain('/translate/')
  })

  it('a language that is not published can be edited', async () => {
    expect(await translator.page('/translate/')).toContain('"fr-FR"')
    expect((await frameOf(translator, '/fr/shop/')).status).toBe(200)
  })
})

describe('a page in the frame', () => {
  it('TRN-09 wraps texts, and names those that no element may be put around on their element', async () => {
    const html = await (await frameOf(translator, '/de/product/plain-mug/')).text()
    expect(html).toMatch(
      new RegExp(
        `<translate-press data-trp-translate-id="${mug}" data-trp-node-group="[^"]+">Plain mug</translate-press>`,
      ),
    )
    expect(html).toMatch(/<button[^>]*single_add_to_cart_button[^>]*><translate-press data-trp-translate-id="\d+"/)
    expect(html).toMatch(/<title data-trp-translate-id="\d+"[^>]*>[^<]*Plain mug/)
    expect(html).toMatch(/<input[^>]*placeholder="[^"]+"[^>]*data-trp-translate-id-placeholder="\d+"/)
    expect(html).not.toMatch(/<(?:option|title|textarea|script|style)\b[^>]*>[^<]*<translate-press/)
    expect(html).toMatch(/<script type="module" src="\/assets\/frame-[^"]+"><\/script><\/head>/)
  })

  it('is for this frame alone: never kept, framed by nobody else, and without a wallet', async () => {
    const response = await frameOf(translator, '/de/shop/')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'self'")
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    expect(response.headers.get('speculation-rules')).toBeNull()
    for (const path of ['/de/shop/', editorUrl('/de/shop/', translator.nonce(editorNonces.frame))]) {
      const page = await aCustomer(shop).send(path)
      expect(page.headers.get('x-frame-options')).toBe('DENY')
      expect(await page.text()).not.toContain('<translate-press')
    }
  })

  it('is the usual page for a customer, for another’s key and for a forged one', async () => {
    for (const page of [
      await frameOf(customer, '/de/shop/'),
      await frameOf(translator, '/de/shop/', other.nonce(editorNonces.frame)),
      await frameOf(translator, '/de/shop/', '0123456789'),
      await frameOf(translator, '/de/shop/', translator.nonce(editorNonces.calls)),
    ]) {
      expect(page.status).toBe(200)
      expect(page.headers.get('x-frame-options')).toBe('DENY')
      expect(await page.text()).not.toContain('<translate-press')
    }
  })

  it('is known to the scripts of all pages by the same word', () => {
    expect(editorParameter.parameter).toBe(editParameter)
  })

  it('leads on within the editor', async () => {
    const response = await frameOf(translator, '/de/shop')
    expect(response.status).toBe(301)
    expect(response.headers.get('location')).toMatch(/^\/de\/.*trp-edit-translation=preview&trp-edit-key=[0-9a-f]{10}$/)
  })

  it('sells nothing, and marks what comes later', async () => {
    const referer = shop.url + editorUrl('/de/shop/', translator.nonce(editorNonces.frame))
    const post = (path: string, body: Record<string, string>) =>
      translator.send(path, { method: 'POST', body: new URLSearchParams(body), headers: { referer, origin: shop.url } })
    expect((await post('/de/?wc-ajax=checkout', { payment_method: 'cod' })).status).toBe(403)
    expect((await post('/de/checkout/', { payment_method: 'cod' })).status).toBe(403)
    const added = await post('/de/?wc-ajax=add_to_cart', { product_id: String(await shop.idOf('MUG')) })
    const { fragments } = (await added.json()) as { fragments: Record<string, string> }
    expect(Object.values(fragments).join('')).toContain('<translate-press')
    await shop.db.sql`delete from cart_items`.catch(() => undefined)
  })

  it('shows messages, with their texts marked and nothing of a customer', async () => {
    const html = await (await frameOf(translator, '/de/translate/mail/customer_processing_order/')).text()
    expect(html).toMatch(/<h1[^>]*><translate-press data-trp-translate-id="\d+"/)
    expect(html).toMatch(/<title data-trp-translate-id="\d+"/)
  })
})

describe('what is said for a text', () => {
  it('TRN-10 is shown to the next visitor, and can be taken back', async () => {
    const visitor = aCustomer(shop, 'visitor@example.test')
    expect(await visitor.page('/de/product/plain-mug/')).toContain('>Plain mug</h1>')
    const saved = await save(translator, { id: mug, forms: { '': { translated: 'Schlichte Tasse', revision: 0 } } })
    expect(saved.status).toBe(200)
    const { text } = (await saved.json()) as { text: EditedText }
    expect(saidBy(text)).toMatchObject({ translated: 'Schlichte Tasse', status: 2, revision: 1 })
    await expect
      .poll(() => visitor.page('/de/product/plain-mug/'), { timeout: 1000 })
      .toContain('>Schlichte Tasse</h1>')
    expect(await visitor.page('/product/plain-mug/')).toContain('>Plain mug</h1>')

    await save(translator, { id: mug, forms: { '': { translated: 'Einfacher Becher', revision: 1 } } })
    const history = await translator.post(ajax, {
      action: 'trp_get_edited_texts',
      security: translator.nonce(editorNonces.calls),
      ids: JSON.stringify([mug]),
      history: 'de-DE',
    })
    const former = ((await history.json()) as { history: { translated: string }[] }).history
    expect(former.map(({ translated }) => translated)).toEqual(['Einfacher Becher', 'Schlichte Tasse'])
    const undone = await translator.post(ajax, {
      action: 'trp_undo_translation',
      security: translator.nonce(editorNonces.calls),
      id: String(mug),
      language: 'de-DE',
      revision: '2',
    })
    expect(saidBy(((await undone.json()) as { text: EditedText }).text)).toMatchObject({
      translated: 'Schlichte Tasse',
      revision: 3,
    })
  })

  it('two at one text: the second is shown what the first has said, and nothing is overwritten', async () => {
    const forms = (translated: string) => ({ '': { translated, revision: 0 } })
    expect((await save(translator, { id: mug, language: 'fr-FR', forms: forms('Tasse') })).status).toBe(200)
    const second = await save(other, { id: mug, language: 'fr-FR', forms: forms('Mug') })
    expect(second.status).toBe(409)
    const answer = (await second.json()) as { ok: boolean; reason: string; text: EditedText }
    expect(answer).toMatchObject({ ok: false, reason: 'stale' })
    expect(answer.text.said['fr-FR']?.['']?.translated).toBe('Tasse')
  })

  it('is only taken from those who may, with their own nonce', async () => {
    const fields = { id: addToCart, forms: { '': { translated: 'Hacked', revision: 0 } } }
    const stranger = aCustomer(shop, 'x@example.test')
    expect((await save(stranger, fields)).status).toBe(403)
    expect((await save(customer, fields)).status).toBe(403)
    expect((await save(translator, fields, other.nonce(editorNonces.calls))).status).toBe(403)
    expect((await save(translator, fields, 'ffffffffff')).status).toBe(403)
    const foreign = await translator.send(ajax, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams({ action: 'trp_save_translations_regular' }),
    })
    expect(foreign.status).toBe(403)
    await shop.db.sql`update customers set role = 'customer' where email = 'otto@example.test'`
    expect((await save(other, fields)).status).toBe(403)
    await shop.db.sql`update customers set role = 'shop_manager' where email = 'otto@example.test'`
    expect(await aCustomer(shop).page('/de/shop/')).not.toContain('Hacked')
  })

  it('is text whatever it holds', async () => {
    const revision = async () => {
      const answer = await translator.post(ajax, {
        action: 'trp_get_edited_texts',
        security: translator.nonce(editorNonces.calls),
        ids: JSON.stringify([mug]),
      })
      return saidBy(((await answer.json()) as { texts: EditedText[] }).texts[0])?.revision ?? 0
    }
    const hostile = '<img src=x onerror=alert(1)> $& "quoted" \u202Eevil\u202C __proto__'
    const saved = await save(translator, {
      id: mug,
      forms: { '': { translated: hostile, revision: await revision() } },
    })
    expect(saved.status).toBe(200)
    const page = () => aCustomer(shop).page('/de/product/plain-mug/')
    await expect
      .poll(page, { timeout: 1000 })
      .toContain('&lt;img src=x onerror=alert(1)&gt; $&amp; &quot;quoted&quot; evil __proto__')
    expect(await page()).not.toContain('<img src=x')
    const inFrame = await (await frameOf(translator, '/de/product/plain-mug/')).text()
    expect(inFrame).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(inFrame).not.toContain('<img src=x')
    const long = await save(translator, {
      id: mug,
      forms: { '': { translated: 'x'.repeat(100_000), revision: await revision() } },
    })
    expect(long.status).toBe(422)
    expect(await long.json()).toMatchObject({ ok: false, reason: 'too-long' })
    for (const forms of ['no json', '{"__proto__":{}}', '[]', '{"every":{"translated":"x","revision":0}}'])
      expect((await save(translator, { id: mug, forms })).status, forms).toBe(422)
    expect(
      (await save(translator, { id: mug, language: 'xx-XX', forms: { '': { translated: 'x', revision: 0 } } })).status,
    ).toBe(422)
  })
})

describe('the list of all texts', () => {
  const row = (html: string, id: number) => new RegExp(`<li id="text-${id}".*?</li>`, 's').exec(html)?.[0] ?? ''

  it('finds, keeps what is written, and says that many are right, without scripts', async () => {
    const found = await translator.page('/translate/texts/?language=ar&s=plain+MUG')
    expect(row(found, mug)).toContain('Plain mug')
    expect(found).not.toContain(`id="text-${addToCart}"`)
    const fields = { security: translator.nonce(editorNonces.calls), language: 'ar', status: '0' }
    const kept = await translator.post('/translate/texts/', {
      ...fields,
      do: 'save',
      id: String(mug),
      'said[only]': 'كوب بسيط',
      'revision[only]': '0',
    })
    expect(kept.status).toBe(303)
    expect(kept.headers.get('location')).toMatch(/language=ar&status=0.*#text-/)
    expect(row(await translator.page('/translate/texts/?language=ar&status=2'), mug)).toContain('كوب بسيط')
    const late = await translator.post('/translate/texts/', {
      ...fields,
      do: 'save',
      id: String(mug),
      'said[only]': 'كأس',
      'revision[only]': '0',
    })
    expect(late.status).toBe(409)
    expect(row(await late.text(), mug)).toMatch(/كأس.*كوب بسيط/s)

    await shop.db.sql`update translations set status = 1 where language = 'ar' and original_id = ${mug}`
    const right = await translator.post('/translate/texts/', {
      ...fields,
      do: 'approve',
      [`approve[${mug}]`]: '{"":1}',
    })
    expect(right.headers.get('location')).toContain('approved=1')
    expect(row(await translator.page('/translate/texts/?language=ar'), mug)).toContain('data-status="2"')
  })

  it('takes nothing without its nonce, and nothing odd', async () => {
    const fields = { language: 'ar', do: 'save', id: String(mug), 'said[only]': 'x', 'revision[only]': '1' }
    expect((await translator.post('/translate/texts/', { ...fields, security: 'abc' })).status).toBe(403)
    expect(
      (await customer.post('/translate/texts/', { ...fields, security: customer.nonce(editorNonces.calls) })).status,
    ).toBe(404)
    const security = translator.nonce(editorNonces.calls)
    for (const odd of [{ do: 'drop' }, { id: '-1' }, { 'said[__proto__]': 'x' }])
      expect((await translator.post('/translate/texts/', { ...fields, security, ...odd })).status).toBe(400)
    const page = await translator.page(
      '/translate/texts/?language=%3Cscript%3E&status=9&area=x&s=%25%27%22%3Cb%3E&paged=-3',
    )
    expect(page).toContain('value="%&#x27;&quot;&lt;b&gt;"')
  })
})
