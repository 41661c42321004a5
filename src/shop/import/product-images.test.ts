import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { anImportBench, csv, type ImportBench, today } from '#tests/support/import/import-fixtures.ts'
import type { ImportTools } from './import-tools.ts'

let bench: ImportBench
let db: ImportBench['db']
beforeAll(async () => {
  bench = await anImportBench()
  db = bench.db
})
afterAll(() => bench.close())
beforeEach(() => bench.empty())

describe('pictures', () => {
  const drawn = (width: number, height: number, colour = '#3366cc') =>
    sharp({ create: { width, height, channels: 3, background: colour } })

  it('are made once for each source, never wider than it is, upright and without notes of the camera', async () => {
    const images = join(bench.folder, 'images')
    await mkdir(images, { recursive: true })
    // 800 pixels wide on the sensor, with an EXIF orientation of 90 degrees.
    await drawn(800, 500)
      .withExif({ IFD0: { Copyright: 'someone' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toFile(join(images, 'a.jpg'))
    await drawn(800, 500)
      .withExif({ IFD0: { Copyright: 'someone' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toFile(join(images, 'copy.jpg'))
    await drawn(2000, 1000, '#aa2200').png().toFile(join(images, 'b.png'))
    const file = csv(
      ['SKU', 'Name', 'Images'],
      ['A', 'Vase', 'images/a.jpg, images/b.png'],
      ['B', 'Bowl', 'images/copy.jpg'],
    )
    const mediaDir = join(bench.folder, 'media-once')
    expect(await bench.importing(file, { mediaDir })).toMatchObject({ ok: true, images: 3 })

    const rows = await db.sql`select hash, width, height, widths, alt, placeholder from images order by width`
    expect(rows.map(({ width, height, widths, alt }) => ({ width, height, widths, alt }))).toEqual([
      { width: 500, height: 800, widths: [320, 500], alt: 'Vase' },
      { width: 1440, height: 720, widths: [320, 640], alt: 'Vase' },
    ])
    expect(rows[1]?.placeholder).toMatch(/^#[a-b].2.0./)
    const made = await readdir(mediaDir)
    expect(made.toSorted()).toEqual(
      rows
        .flatMap(({ hash, widths }) => [...widths.map((width: number) => `${hash}-${width}.webp`), `${hash}.upload`])
        .toSorted(),
    )
    const small = await sharp(join(mediaDir, `${rows[0]?.hash}-320.webp`)).metadata()
    expect([small.width, small.height, small.exif, small.orientation]).toEqual([320, 512, undefined, undefined])
    const shown = await db.sql`
      select sku, position, i.width from product_images pi join products p on p.id = pi.product_id join images i on i.id = image_id order by 1, 2`
    expect(shown).toEqual([
      { sku: 'A', position: 0, width: 500 },
      { sku: 'A', position: 1, width: 1440 },
      { sku: 'B', position: 0, width: 500 },
    ])
  })

  it('that are missing, damaged, drawn by a program or outside the folder are faults with their row', async () => {
    await writeFile(join(bench.folder, 'text.jpg'), 'no picture')
    await writeFile(join(bench.folder, 'drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    await writeFile(join(tmpdir(), 'outside.png'), await drawn(9, 9).png().toBuffer())
    const whole = await sharp({
      create: {
        width: 600,
        height: 600,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    })
      .png()
      .toBuffer()
    await writeFile(join(bench.folder, 'half.png'), whole.subarray(0, whole.length / 2))
    const images = ['gone.jpg', 'text.jpg', 'drawing.svg', '../outside.png', 'https://example.com/a.jpg']
    const report = await bench.importing(
      csv(['SKU', 'Name', 'Images'], ...images.map((image, index) => [`S${index}`, 'x', image])),
    )
    expect(report.faults.map(({ row, value, problem }) => [row, value, problem])).toEqual([
      [2, 'gone.jpg', 'is not there'],
      [3, 'text.jpg', expect.stringContaining('cannot be decoded as an image')],
      [4, 'drawing.svg', expect.stringContaining('svg')],
      [5, '../outside.png', 'is outside the images folder'],
      [6, 'https://example.com/a.jpg', expect.stringContaining('--fetch-images')],
    ])
    const half = await bench.importing(csv(['SKU', 'Name', 'Images'], ['H', 'Half', 'half.png']))
    expect(half.faults).toMatchObject([{ row: 2, value: 'half.png' }])
    expect(await db.sql`select count(*)::int as n from products`).toEqual([{ n: 0 }])
  })

  it('T22 come from other servers only when allowed, and never from inside the network', async () => {
    const asked: string[] = []
    const picture = await drawn(200, 100).png().toBuffer()
    const tools: ImportTools = {
      ...bench.toolsAt(today, { remoteImages: true }),
      network: {
        async fetch(url) {
          asked.push(String(url))
          if (String(url).endsWith('/moved.png'))
            return new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } })
          if (String(url).endsWith('/page')) return new Response('<p>', { headers: { 'content-type': 'text/html' } })
          return new Response(new Uint8Array(picture), { headers: { 'content-type': 'image/png' } })
        },
      },
    }
    const lookup = async (host: string) =>
      host === 'inside.example' ? ['93.184.216.34', '10.0.0.7'] : ['93.184.216.34']
    const rows = [
      'https://cdn.example/moved.png',
      'https://inside.example/a.png',
      'http://[::1]/a.png',
      'http://127.0.0.1/a.png',
      'https://cdn.example/page',
    ]
    const refused = await bench.importing(
      csv(['SKU', 'Name', 'Images'], ...rows.map((row, index) => [`R${index}`, 'x', row])),
      { lookup },
      tools,
    )
    expect(refused.faults.map(({ row, problem }) => `${row} ${problem}`).toSorted()).toEqual([
      '2 redirects to http://169.254.169.254/: use that URL',
      '3 resolves to a private address (inside.example)',
      '4 resolves to a private address (::1)',
      '5 resolves to a private address (127.0.0.1)',
      '6 is "text/html", not an image',
    ])
    expect(asked.toSorted()).toEqual(['https://cdn.example/moved.png', 'https://cdn.example/page'])
    const taken = await bench.importing(
      csv(['SKU', 'Name', 'Images'], ['R', 'x', 'https://cdn.example/a.png']),
      { lookup },
      tools,
    )
    expect(taken).toMatchObject({ ok: true, created: 1 })
  })
})
