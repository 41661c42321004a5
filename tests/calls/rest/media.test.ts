import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MediaRecord, mediaRecord } from '#contract/catalog/rest-media.ts'
import { urls } from '#contract/shared/urls.ts'
import { imageHash } from '#shop/content/resize-images.ts'
import { aGuest, type Guest, type Sent } from '#tests/security/support/guest.ts'
import { aCustomer } from '#tests/support/customers/customer.ts'
import { type Staff, staffMember } from '#tests/support/customers/staff.ts'
import { aShop, type TestShop } from '#tests/support/shop.ts'
import { createRest } from '#web/browser/adapters/rest/rest.ts'

let shop: TestShop
let manager: Staff
let mediaDir: string
beforeAll(async () => {
  shop = await aShop()
  manager = await staffMember(shop, 'mara@example.test', 'shop_manager')
  mediaDir = join(shop.dataDir, 'media')
})
afterAll(() => shop?.close())
beforeEach(async () => {
  await shop.db.sql`delete from rate_limits`
})

const library = urls.rest('wp/v2/media')
const at = (id: number, more = '') => `${library}/${id}${more}`
const call = (path: string, sent: Sent = {}, who: Guest = manager) =>
  who.send(path, { ...sent, headers: { 'x-wp-nonce': who.nonce('wp_rest'), ...sent.headers } })
const outcome = async (answer: Response) => [answer.status, (await answer.json()).code]
const rows = async () => (await shop.db.sql`select id from images order by id`).map(({ id }) => Number(id))
const files = () => readdir(mediaDir).then((names) => names.sort())

let shade = 0
/** A picture that nobody has uploaded before. */
function aPicture(width = 200, height = 100): Promise<Buffer> {
  shade += 1
  return sharp({ create: { width, height, channels: 3, background: { r: shade % 256, g: 90, b: 120 } } })
    .png()
    .toBuffer()
}

const named = (name: string) => ({ 'content-disposition': `attachment; ${name}`, 'content-type': 'image/png' })
const uploadRaw = (bytes: Uint8Array, disposition = 'filename="blue.png"', who: Guest = manager) =>
  call(library, { method: 'POST', body: Buffer.from(bytes), headers: named(disposition) }, who)

function uploadForm(bytes: Uint8Array, name: string, alt?: string): Promise<Response> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(bytes)], { type: 'image/png' }), name)
  if (alt !== undefined) form.append('alt_text', alt)
  return call(library, { method: 'POST', body: form })
}

async function uploaded(bytes: Uint8Array): Promise<MediaRecord> {
  const answer = await uploadRaw(bytes)
  expect(answer.status).toBe(201)
  return mediaRecord.parse(await answer.json())
}

/** The shop's own client, as a member of the staff would have it in a page. */
function client(before: (request: number) => Promise<void> = async () => {}) {
  const sent: string[] = []
  const rest = createRest({
    root: `${shop.url}/wp-json/`,
    nonce: manager.nonce('wp_rest'),
    fetch: async (url, init) => {
      const headers = Object.fromEntries(new Headers(init.headers))
      const { method = 'GET', body } = init
      sent.push(`${headers['x-http-method-override'] ?? method} ${url.slice(shop.url.length)}`)
      await before(sent.length)
      return manager.send(url.slice(shop.url.length), { method, headers, body: body ?? null })
    },
  })
  return { rest, sent }
}

describe('an uploaded picture', () => {
  it.each([
    ['as a body', (bytes: Buffer) => uploadRaw(bytes)],
    ['in a form', (bytes: Buffer) => uploadForm(bytes, 'blue.png')],
  ])('REST-04 T25 %s is in the library, made anew in the sizes that pages ask for', async (_, send) => {
    const answer = await send(await aPicture(400, 200))
    expect(answer.status).toBe(201)
    const record = mediaRecord.parse(await answer.json())
    expect(answer.headers.get('location')).toBe(shop.url + at(record.id))
    expect(record).toMatchObject({ title: { rendered: 'blue' }, missing_image_sizes: [], status: 'inherit' })
    expect(Object.keys(record.media_details.sizes)).toEqual(['160', '320', '400'])
    expect(record.media_details.sizes['320']).toMatchObject({ width: 320, height: 160, mime_type: 'image/webp' })
    const shown = await fetch(record.source_url)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await sharp(await shown.arrayBuffer()).metadata()).toMatchObject({ width: 400, height: 200 })
    expect(await (await call(at(record.id))).json()).toEqual(record)
    // The file as it came is gone: its sizes are all there is.
    expect((await files()).filter((name) => name.endsWith('.upload'))).toEqual([])
  })

  it('REST-04 is the same entry when it comes again', async () => {
    const bytes = await aPicture()
    const [first, second] = [await uploaded(bytes), await uploaded(bytes)]
    expect(second).toEqual(first)
  })

  it('REST-04 keeps what its form says of it, as text', async () => {
    const answer = await uploadForm(await aPicture(), 'b.png', '  A <b>blue</b> wall ')
    expect(await answer.json()).toMatchObject({ alt_text: 'A <b>blue</b> wall' })
  })

  it.each([
    ['filename="../../../etc/passwd"', 'passwd'],
    ['filename="C:\\\\Windows\\\\mug.png"', 'mug'],
    ['filename="<script>alert(1)</script>.png"', 'script&gt;'],
    ['filename="a\\"b.png"', 'a&quot;b'],
    ["filename*=UTF-8''%E2%80%AEgnp.exe%00.png", 'gnp.exe'],
    ["filename*=UTF-8''%C3%84pfel%20%26%20Birnen.png", 'Äpfel &amp; Birnen'],
    ['filename=plain.png', 'plain'],
    ['filename=".."', '..'],
    ['filename=""', 'picture'],
    [`filename="${'x'.repeat(3000)}.png"`, 'x'.repeat(200)],
  ])('REST-04 T25 %.60s names no place, and stands as text', async (disposition, title) => {
    const before = await files()
    const answer = await uploadRaw(await aPicture(40, 40), disposition)
    const { id, ...record } = mediaRecord.parse(await answer.json())
    expect(record.title.rendered).toBe(title)
    expect(
      (await files())
        .filter((name) => !before.includes(name))
        .every((name) => /^[0-9a-f]{64}-40\.(avif|webp)$/.test(name)),
    ).toBe(true)
    const listed = (await (await call(`${library}?per_page=1`)).json())[0]
    expect(listed).toMatchObject({ id, title: record.title })
  })
})

describe('what is no picture', () => {
  const png = Buffer.from('89504e470d0a1a0a', 'hex')
  const header = (width: number, height: number) => {
    const ihdr = Buffer.alloc(25)
    ihdr.writeUInt32BE(13, 0)
    ihdr.write('IHDR', 4)
    ihdr.writeUInt32BE(width, 8)
    ihdr.writeUInt32BE(height, 12)
    ihdr.set([8, 2, 0, 0, 0], 16)
    return Buffer.concat([png, ihdr])
  }
  it.each([
    ['a page', async () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a drawing', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a document', async () => Buffer.from('%PDF-1.7\n')],
    ['a program that begins as a picture', async () => Buffer.from('GIF89a<?php echo 1; ?>')],
    [
      'the beginning of a picture',
      async () =>
        (
          await sharp({
            create: {
              width: 300,
              height: 300,
              channels: 3,
              background: '#123456',
              noise: { type: 'gaussian', mean: 100, sigma: 30 },
            },
          })
            .png()
            .toBuffer()
        ).subarray(0, 9000),
    ],
    ['a bomb', async () => header(40_000, 40_000)],
    [
      'a picture of too many points',
      async () =>
        sharp({ create: { width: 8000, height: 4000, channels: 3, background: '#fff' } })
          .png()
          .toBuffer(),
    ],
  ])('REST-04 T25 is refused: %s, and nothing of it stays', async (_, make) => {
    const before = [await rows(), await files()]
    expect(await outcome(await uploadRaw(await make()))).toEqual([400, 'rest_upload_invalid_image'])
    expect([await rows(), await files()]).toEqual(before)
  })

  it('REST-04 is refused before it is read to the end when it is more than 8 MB', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024 + 1, png)
    expect(await outcome(await uploadRaw(large))).toEqual([413, 'rest_upload_file_too_big'])
    expect(await outcome(await uploadForm(large, 'large.png'))).toEqual([413, 'rest_upload_file_too_big'])
    // One that does not say how much is coming is stopped at the limit, and may find the line cut.
    const endless = await slow({ chunk: large, chunks: 20 }).answer.then(
      (answer) => answer.status,
      () => 413,
    )
    expect(endless).toBe(413)
  })

  it.each([
    ['without a name', { 'content-type': 'image/png' }, 'abc'],
    ['without data', named('filename="a.png"'), ''],
    ['with a name that is no text', named("filename*=UTF-8''%FF%FE"), 'abc'],
    ['in a form that ends nowhere', { 'content-type': 'multipart/form-data; boundary=x' }, '--x\r\nContent-Dis'],
    [
      'in a form without a file',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nabc\r\n--x--\r\n',
    ],
  ])('REST-04 is refused: an upload %s', async (_, headers, body) => {
    const answer = await call(library, { method: 'POST', headers, body })
    expect(await outcome(answer)).toEqual([400, 'rest_upload_no_data'])
  })
})

describe('who may', () => {
  it('REST-04 nobody but who runs the shop, with a nonce, from its own pages', async () => {
    const customer = aCustomer(shop, 'cara@example.test')
    await customer.register()
    const translator = await staffMember(shop, 'tom@example.test', 'translator')
    const guest = aGuest(shop)
    await guest.add('MUG')
    const before = [await rows(), await files()]
    const bytes = await aPicture()
    const [id = 0] = await rows()
    const json = { 'content-type': 'application/json' }
    for (const [who, status] of [
      [guest, 401],
      [customer, 403],
      [translator, 403],
    ] as const) {
      const answers = [
        await uploadRaw(bytes, 'filename="a.png"', who),
        await call(library, {}, who),
        await call(at(id), {}, who),
        await call(at(id), { method: 'PATCH', headers: json, body: '{"alt_text":"x"}' }, who),
        await call(at(id, '?force=true'), { method: 'DELETE' }, who),
        await call(
          at(id, '/post-process'),
          { method: 'POST', headers: json, body: '{"action":"create-image-subsizes"}' },
          who,
        ),
      ]
      for (const answer of answers) {
        expect(answer.status).toBe(status)
        expect((await answer.json()).code).toMatch(/^rest_(forbidden|cannot_)/)
      }
    }
    for (const wrong of [{ 'x-wp-nonce': '0123456789' }, { origin: 'https://evil.example' }]) {
      const answer = await call(library, {
        method: 'POST',
        body: Buffer.from(bytes),
        headers: { ...named('filename="a.png"'), ...wrong },
      })
      expect(answer.status).toBe(403)
    }
    expect([await rows(), await files()]).toEqual(before)
  })

  it('REST-04 three at a time: a fourth is told to come again', async () => {
    const [first, second, third] = [slow(), slow(), slow()]
    await expect.poll(async () => (await uploadRaw(Buffer.from('no'))).status, { timeout: 15_000 }).toBe(503)
    expect((await uploadRaw(Buffer.from('no'))).headers.get('retry-after')).toBe('5')
    for (const one of [first, second, third]) one.end()
    for (const one of [first, second, third]) expect((await one.answer).status).toBe(400)
    expect(await outcome(await uploadRaw(Buffer.from('no')))).toEqual([400, 'rest_upload_invalid_image'])
  })
})

/** An upload whose body comes in pieces, without saying how much there is. */
function slow({ chunk, chunks = 0 }: { chunk?: Buffer; chunks?: number } = {}) {
  let end = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('no picture'))
      end = () => controller.close()
    },
    pull(controller) {
      if (chunk && chunks-- > 0) controller.enqueue(chunk)
    },
  })
  const cookie = [...manager.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const init = {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { cookie, 'x-wp-nonce': manager.nonce('wp_rest'), ...named('filename="slow.png"') },
  }
  return { answer: fetch(shop.url + library, init as RequestInit), end: () => end() }
}

describe('an upload that fails half-way', () => {
  /** Nothing can be written where one of its sizes belongs. */
  async function obstructed(bytes: Buffer) {
    const folder = join(mediaDir, `${imageHash(bytes)}-160.avif`)
    await mkdir(folder, { recursive: true })
    return { clear: () => rm(folder, { recursive: true, force: true }) }
  }

  it('REST-04 names what was kept, which can be finished later', async () => {
    const bytes = await aPicture()
    const { clear } = await obstructed(bytes)
    const failed = await uploadRaw(bytes)
    expect(failed.status).toBe(500)
    const id = Number(failed.headers.get('x-wp-upload-attachment-id'))
    expect(await (await call(at(id))).json()).toMatchObject({ id, source_url: '', missing_image_sizes: ['160'] })
    const process = (action = 'create-image-subsizes', which = id) =>
      call(at(which, '/post-process'), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ action }),
      })
    expect(await outcome(await process())).toEqual([500, 'rest_upload_unfinished'])
    expect(await outcome(await process('something-else'))).toEqual([400, 'rest_invalid_param'])
    expect(await outcome(await process(undefined, 999_999))).toEqual([404, 'rest_post_invalid_id'])
    await clear()
    for (const _ of ['made', 'already there']) {
      const answer = await process()
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ id, missing_image_sizes: [] })
    }
    expect((await files()).filter((name) => name.endsWith('.upload'))).toEqual([])
  })

  it('REST-04 is seen through by the client, which asks for the sizes again', async () => {
    const bytes = await aPicture()
    const { clear } = await obstructed(bytes)
    // The upload and the first try meet the obstacle.
    const { rest, sent } = client(async (request) => (request === 3 ? clear() : undefined))
    const body = new FormData()
    body.append('file', new Blob([Buffer.from(bytes)]), 'late.png')
    const record = await rest({ path: '/wp/v2/media', method: 'POST', body })
    expect(mediaRecord.parse(record)).toMatchObject({ title: { rendered: 'late' }, missing_image_sizes: [] })
    const processed = `POST ${at(mediaRecord.parse(record).id, '/post-process?_locale=user')}`
    expect(sent).toEqual([`POST ${library}?_locale=user`, processed, processed])
  })

  it('REST-04 is taken back by the client after five tries', async () => {
    const bytes = await aPicture()
    const { clear } = await obstructed(bytes)
    const { rest, sent } = client()
    const body = new FormData()
    body.append('file', new Blob([Buffer.from(bytes)]), 'never.png')
    await expect(rest({ path: '/wp/v2/media', method: 'POST', body })).rejects.toMatchObject({ code: 'post_process' })
    expect(sent.filter((line) => line.includes('/post-process')).length).toBe(5)
    expect(sent.at(-1)).toMatch(/^DELETE \/wp-json\/wp\/v2\/media\/\d+\?force=true/)
    const hash = imageHash(bytes)
    const left = async () => (await shop.db.sql`select id from images where hash = ${hash}`).length
    await expect.poll(left, { timeout: 15_000 }).toBe(0)
    await clear()
    expect((await files()).filter((name) => name.startsWith(hash))).toEqual([])
  })
})

describe('the list', () => {
  it('REST-06 comes in pages that name one another, and whole by the client', async () => {
    await shop.db.sql`insert into images (hash, source, width, height, alt, widths)
      select md5(nr::text), 'upload:many-' || nr || '.png', 10, 10, '', '{10}' from generate_series(1, 230) nr`
    const all = (await rows()).reverse()
    const first = await call(`${library}?search=&per_page=100&_locale=user`)
    expect(first.headers.get('x-wp-total')).toBe(String(all.length))
    expect(first.headers.get('x-wp-totalpages')).toBe('3')
    const next = `${shop.url}${library}?search=&per_page=100&_locale=user&page=2`
    expect(first.headers.get('link')).toBe(`<${next}>; rel="next"`)
    const second = await call(next.slice(shop.url.length))
    expect(second.headers.get('link')).toMatch(/page=1>; rel="prev", <[^>]*page=3>; rel="next"$/)
    const { rest, sent } = client()
    const list = await rest({ path: '/wp/v2/media?per_page=-1' })
    expect((list as { id: number }[]).map(({ id }) => id)).toEqual(all)
    expect(sent.length).toBe(3)
    const ascending = await (await call(`${library}?order=asc&per_page=2`)).json()
    expect(ascending.map(({ id }: { id: number }) => id)).toEqual(all.toReversed().slice(0, 2))
    await shop.db.sql`delete from images where source like 'upload:many-%'`
  })

  it.each([
    ['per_page=-1', 'rest_invalid_param'],
    ['per_page=101', 'rest_invalid_param'],
    ['page=0', 'rest_invalid_param'],
    ['page=1e9', 'rest_invalid_param'],
    ['page=9999', 'rest_post_invalid_page_number'],
    ['order=id;drop', 'rest_invalid_param'],
    ['media_type=video', 'rest_invalid_param'],
  ])('REST-06 has no %s', async (query, code) => {
    expect(await outcome(await call(`${library}?${query}`))).toEqual([400, code])
  })

  it('REST-06 finds by name and text, where signs mean themselves', async () => {
    const { id } = mediaRecord.parse(await (await uploadForm(await aPicture(), '100%_off.png', 'Ein Ästchen')).json())
    const found = async (search: string) =>
      (await (await call(`${library}?${new URLSearchParams({ search })}`)).json()).map((one: MediaRecord) => one.id)
    expect(await found('0%_O')).toEqual([id])
    expect(await found('ästchen')).toEqual([id])
    expect(await found('100__off')).toEqual([])
    expect(await found("' or 1=1 --")).toEqual([])
  })
})

describe('a picture of the library', () => {
  it('REST-02 is described anew, and its pages say so', async () => {
    const [row] = await shop.db.sql`select i.image_id as id from product_images i join products p on p.id = i.product_id
      where p.sku = 'MUG' limit 1`
    const id = Number(row?.id)
    const page = async () =>
      (await fetch(`${shop.url}/product/plain-mug/`, { headers: { accept: 'text/html' } })).text()
    await page()
    const alt_text = 'A "mug" <on> a table'
    const { rest, sent } = client()
    expect(await rest({ path: `/wp/v2/media/${id}`, method: 'PATCH', data: { alt_text } })).toMatchObject({
      id,
      alt_text,
    })
    expect(sent).toEqual([`PATCH ${at(id)}?_locale=user`])
    await expect.poll(page, { timeout: 20_000 }).toContain('alt="A &quot;mug&quot; &lt;on&gt; a table"')
    const json = { 'content-type': 'application/json' }
    const long = await call(at(id), {
      method: 'PUT',
      headers: json,
      body: JSON.stringify({ alt_text: 'x'.repeat(1001) }),
    })
    expect(await outcome(long)).toEqual([400, 'rest_invalid_param'])
    const nothing = await call(at(id), { method: 'POST', headers: json, body: '{"title":"other"}' })
    expect(await nothing.json()).toMatchObject({ id, alt_text })
    expect(await outcome(await call(at(999_999), { method: 'PUT', headers: json, body: '{"alt_text":"x"}' }))).toEqual([
      404,
      'rest_post_invalid_id',
    ])
  })

  it('REST-02 goes for good when it is told so, unless something shows it', async () => {
    const { id } = await uploaded(await aPicture())
    expect(await outcome(await call(at(id), { method: 'DELETE' }))).toEqual([501, 'rest_trash_not_supported'])
    const before = await files()
    const gone = await call(at(id, '?force=true'), { method: 'DELETE' })
    expect(await gone.json()).toMatchObject({ deleted: true, previous: { id } })
    expect((await files()).length).toBe(before.length - 4)
    expect(await outcome(await call(at(id)))).toEqual([404, 'rest_post_invalid_id'])
    expect(await outcome(await call(at(id, '?force=true'), { method: 'DELETE' }))).toEqual([
      404,
      'rest_post_invalid_id',
    ])
    const [used = 0] = await rows()
    expect(await outcome(await call(at(used, '?force=true'), { method: 'DELETE' }))).toEqual([
      409,
      'rest_cannot_delete',
    ])
    expect(await rows()).toContain(used)
  })
})
