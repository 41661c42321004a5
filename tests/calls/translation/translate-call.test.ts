import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { urls } from '#contract/shared/urls.ts'
import { editorNonces } from '#contract/translation/editor.ts'
import { translateAction, translateNonce, translatePath } from '#contract/translation/translate.ts'
import { type Original, translationKey } from '#database/translation/translations.ts'
import { nonceFor } from '#server/http/security/nonce.ts'
import { aCustomer, type Customer } from '#tests/support/customers/customer.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await aShop({
    settings: { languages: [{ tag: 'de-DE' }, { tag: 'fr-FR', published: false }, { tag: 'ja-JP' }] },
  })
  await say({ area: 'interface', text: 'Put aside' }, 'Beiseitelegen', 2)
  await say({ area: 'content', text: 'Hot & cold' }, 'Heiß &amp; kalt $& <b>&copy</b>', 2)
  await say({ area: 'content', text: 'Guessed' }, 'Geraten', 1)
  await say({ area: 'content', text: 'length' }, 'Länge', 2)
  await say({ area: 'content', text: 'Only <b>markup</b>', markup: true }, 'Nur <b>Markup</b>', 2)
  await say({ area: 'content', text: 'Not yet' }, '', 0)
})
afterAll(() => shop.close())

async function say({ area, text, markup = false }: Original, translated: string, status: 0 | 1 | 2) {
  const { kysely } = shop.db
  const { id } = await kysely
    .insertInto('translation_originals')
    .values({ area, original: text, markup, key_hash: translationKey(text, markup) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await kysely.insertInto('translations').values({ original_id: id, language: 'de-DE', translated, status }).execute()
}

const nonce = () => nonceFor(shop.shop.application.secret, translateNonce, '', new Date())

/** As the classic script asks, word for word. */
function fields(originals: readonly unknown[], more: Record<string, string> = {}): Record<string, string> {
  return {
    action: translateAction,
    all_languages: 'false',
    security: nonce(),
    language: 'de_DE',
    original_language: 'en_US',
    originals: JSON.stringify(originals),
    skip_machine_translation: '[]',
    dynamic_strings: 'true',
    translate_numerals_opt: 'no',
    ...more,
  }
}

async function ask(path: string, body: Record<string, string> | string, headers: Record<string, string> = {}) {
  const response = await fetch(shop.url + path, {
    method: 'POST',
    headers: { origin: shop.url, ...headers },
    body: typeof body === 'string' ? body : new URLSearchParams(body),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const doors = [
  ['the fast door', translatePath],
  ['the platform’s door', urls.adminAjax],
] as const

describe.each(doors)('%s', (_, path) => {
  it('TRN-03 answers a list of entries, of what is known and of nothing else', async () => {
    const { status, body } = await ask(
      path,
      fields(['Put aside', 'Nowhere', 'Not yet', 'Only <b>markup</b>', 'length', '__proto__']),
    )
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        type: 'regular',
        group: 'Dynamic Added Strings',
        original: 'Put aside',
        dbID: expect.any(Number),
        translationsArray: {
          de_DE: { translated: 'Beiseitelegen', status: 2, editedTranslation: 'Beiseitelegen' },
        },
      },
      expect.objectContaining({
        original: 'length',
        translationsArray: { de_DE: expect.objectContaining({ translated: 'Länge' }) },
      }),
    ])
  })

  it('TRN-03 finds a text whatever blanks are round and in it, and names it as it was asked', async () => {
    const { body } = await ask(path, fields([' Put\u00a0\n aside ']))
    expect(body).toMatchObject([{ original: ' Put\u00a0\n aside ' }])
  })

  it('TRN-03 writes a translation so that it is the same once entities are decoded', async () => {
    const { body } = await ask(path, fields(['Hot & cold']))
    expect(body[0].translationsArray.de_DE.translated).toBe('Heiß &amp;amp; kalt $& <b>&amp;copy</b>')
  })

  it('TRN-07 leaves out what a machine said where no machine is wanted', async () => {
    expect((await ask(path, fields(['Guessed']))).body).toHaveLength(1)
    const skip = { skip_machine_translation: '["Guessed","Put aside"]' }
    expect((await ask(path, fields(['Guessed', 'Put aside'], skip))).body).toMatchObject([{ original: 'Put aside' }])
  })

  it.each([
    ['unknown', 'it_IT'],
    ['not published', 'fr_FR'],
    ['no code', "de_DE'; drop table translations"],
    ['missing', ''],
  ])('TRN-03 says error for a language that is %s', async (_, language) => {
    expect(await ask(path, fields(['Put aside'], { language }))).toMatchObject({ status: 400, body: 'error' })
    expect((await ask(path, fields(['Put aside'], { original_language: language }))).body).toBe('error')
  })

  it('TRN-02 knows which language is the original', async () => {
    expect((await ask(path, fields(['Put aside'], { original_language: 'ja_JP' }))).body).toBe('error')
    expect((await ask(path, fields(['Put aside'], { language: 'ja_JP' }))).body).toEqual([])
  })

  it('T18 takes so much and no more, and keeps nothing of it', async () => {
    const before = await stored()
    const refusal = async (originals: readonly unknown[]) => {
      const response = await fetch(shop.url + path, {
        method: 'POST',
        headers: { origin: shop.url },
        body: new URLSearchParams(fields(originals)),
      })
      return [response.status, await response.text()] as const
    }
    const many = Array.from({ length: 201 }, (_, at) => `text ${at}`)
    for (const originals of [many, ['x'.repeat(2001)], [1], [['nested']]]) {
      const [status, text] = await refusal(originals)
      expect([400, 422]).toContain(status)
      expect(text).toContain('originals')
    }
    const [status, text] = await refusal(Array.from({ length: 40 }, (_, at) => `${at}${'y'.repeat(1900)}`))
    expect([status, text]).toEqual([413, expect.stringContaining('64 KB')])
    await ask(path, fields(['Ida Vale, 12 Harbour Street']))
    expect(await stored()).toEqual(before)
  })
})

const stored = () =>
  shop.db
    .sql`select (select count(*) from translation_originals) as originals, (select count(*) from translations) as said,
    (select count(*) from translation_queue) as queued, (select count(*) from sessions) as sessions`

describe('the fast door', () => {
  it('T18 needs no nonce, opens no session and may be kept for a minute by who asked', async () => {
    const { status, headers, body } = await ask(translatePath, fields(['Put aside'], { security: '' }))
    expect([status, body.length]).toEqual([200, 1])
    expect(headers.get('cache-control')).toBe('private, max-age=60')
    expect(headers.get('set-cookie')).toBeNull()
    expect((await ask(`/de${translatePath}`, fields(['Put aside']))).body).toHaveLength(1)
  })

  it('takes JSON as well, and nothing from other sites', async () => {
    const body = JSON.stringify({ language: 'de_DE', original_language: 'en_US', originals: ['Put aside'] })
    expect((await ask(translatePath, body, { 'content-type': 'application/json' })).body).toHaveLength(1)
    const foreign = { origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }
    expect((await ask(translatePath, fields(['Put aside']), foreign)).status).toBe(403)
  })

  it('T18 asks a network that will not stop to wait', async () => {
    const { sql } = shop.db
    await sql`update rate_limits set used_until = now() + interval '2 minutes'`
    const { status, headers, body } = await ask(translatePath, fields(['Put aside']))
    await sql`delete from rate_limits`
    expect([status, body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('TRN-03 says error when the memory cannot be read', async () => {
    await shop.db.sql`alter table translations rename to elsewhere`
    const answers = [await ask(translatePath, fields(['Put aside'])), await ask(urls.adminAjax, fields(['Put aside']))]
    await shop.db.sql`alter table elsewhere rename to translations`
    for (const { status, body } of answers) expect([status, body]).toEqual([200, 'error'])
  })
})

describe('the platform’s door', () => {
  it.each([
    ['missing', () => ''],
    ['made up', () => '0123456789'],
    ['for something else', () => nonceFor(shop.shop.application.secret, 'wp_rest', '', new Date())],
    [
      'too old',
      () => nonceFor(shop.shop.application.secret, translateNonce, '', new Date(Date.now() - 25 * 3_600_000)),
    ],
  ])('TRN-03 refuses a nonce that is %s', async (_, wrong) => {
    expect(await ask(urls.adminAjax, fields(['Put aside'], { security: wrong() }))).toMatchObject({
      status: 403,
      body: -1,
    })
  })
})

describe('the editor', () => {
  const member = async (email: string, role: string): Promise<Customer> => {
    const customer = aCustomer(shop, email)
    await customer.register()
    await shop.db.sql`update customers set role = ${role} where email = ${email}`
    await customer.logIn()
    return customer
  }
  const askAs = async (who: Customer, originals: string[], more: Record<string, string> = {}) => {
    const security = who.nonce(editorNonces.frame)
    return (await who.post(urls.adminAjax, fields(originals, { security, ...more }))).json()
  }

  it('TRN-09 T18 gives a translator’s unknown texts an id, as texts and so many an hour, and nobody else’s', async () => {
    const [customer, translator] = [
      await member('c@example.test', 'customer'),
      await member('t@example.test', 'translator'),
    ]
    const before = await stored()
    expect(await askAs(customer, ['Put aside', 'A review'])).toBe(-1)
    // Looking at the shop is not editing it.
    expect(await askAs(translator, ['A review'], { security: translator.nonce(translateNonce) })).toEqual([])
    expect((await stored())[0]?.originals).toBe(before[0]?.originals)
    const unpublished = { security: nonce(), language: 'fr_FR' }
    expect(await askAs(customer, ['A review'], unpublished)).toBe('error')
    expect(await askAs(translator, ['A review'], unpublished)).toEqual([])

    const asked = ['Put aside', 'A review', '<b>A</b> review', '/shop/', `${shop.url}/cart/`, '/guide.pdf']
    const entries = await askAs(translator, asked)
    expect(entries.map((entry: { original: string }) => entry.original)).toEqual([
      'Put aside',
      'A review',
      '<b>A</b> review',
      '/guide.pdf',
    ])
    expect(entries[1]).toEqual({
      type: 'regular',
      group: 'Dynamic Added Strings',
      original: 'A review',
      dbID: expect.any(Number),
      translationsArray: { de_DE: { translated: '', status: 0, editedTranslation: '' } },
    })
    expect(await askAs(translator, asked)).toEqual(entries)
    const languages = await askAs(translator, ['Put aside'], { all_languages: 'true', language: 'fr_FR' })
    expect(Object.keys(languages[0].translationsArray)).toEqual(['de_DE', 'fr_FR', 'ja_JP'])

    const many = await askAs(
      translator,
      Array.from({ length: 100 }, (_, at) => `new text ${at}`),
    )
    expect(many).toHaveLength(47)
    const [{ markup, queued } = {}] = await shop.db
      .sql`select bool_or(markup) as markup, (select count(*)::int from translation_queue) as queued from translation_originals
        where original like '%review'`
    expect([markup, queued]).toEqual([false, 0])
  })
})

describe('what a page prints for the translator', () => {
  const printed = async (path: string) => {
    const html = await (await fetch(shop.url + path)).text()
    const [, json = '{}'] = /id="vitrine-settings">([^<]*)</.exec(html) ?? []
    return { html, settings: JSON.parse(json).trp_data }
  }

  it('TRN-01 TRN-02 is there in another language, with a nonce that the platform’s door takes', async () => {
    const { settings } = await printed('/de/shop/')
    expect(settings).toMatchObject({
      trp_custom_ajax_url: translatePath,
      trp_wp_ajax_url: expect.stringMatching(/\/wp-admin\/admin-ajax\.php$/),
      trp_language_to_query: 'de_DE',
      trp_original_language: 'en_US',
      trp_current_language: 'de_DE',
      showdynamiccontentbeforetranslation: '1',
      duplicate_detections_allowed: '100',
      trp_translate_numerals_opt: 'no',
    })
    const security = settings.gettranslationsnonceregular
    expect((await ask(urls.adminAjax, fields(['Put aside'], { security }))).status).toBe(200)
  })

  it('TRN-01 is not there in the shop’s own language', async () => {
    const { html, settings } = await printed('/shop/')
    expect(settings).toBeUndefined()
    expect(html).not.toContain('trp_')
  })
})
