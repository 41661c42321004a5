import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aDatabase, type TestDatabase } from '#tests/support/database/database.ts'
import { runCommand } from '#tests/support/process/command.ts'
import { exportCommand } from '../export/export.ts'
import { importGroup } from './import-group.ts'

let db: TestDatabase
let folder: string
beforeAll(async () => {
  db = await aDatabase()
  folder = await mkdtemp(join(tmpdir(), 'review-import-'))
  await db.sql`insert into products (id, type, sku, name, slug, imported_id, parent_id) values
    (1, 'variable', 'CUP', 'Cup & saucer', 'cup', 501, null), (2, 'simple', 'PLATE', 'Plate', 'plate', 502, null),
    (3, 'variation', 'CUP-RED', 'Cup red', 'cup-red', null, 1), (4, 'simple', null, 'Twin', 'twin', null, null),
    (5, 'simple', null, 'Twin', 'twin-2', null, null)`
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await db.sql`delete from reviews`
  await db.sql`update products set average_rating = 0, rating_count = 0`
})

const reviews = () => db.kysely.selectFrom('reviews').selectAll().orderBy('id').execute()
const ratings = async () =>
  (
    await db.sql`select average_rating::float as average, rating_count as count from products where id < 3 order by id`
  ).map(({ average, count }) => [average, count])

const imports = async (csv: string, ...options: string[]) => {
  const file = join(folder, 'reviews.csv')
  await writeFile(file, csv)
  return runCommand(importGroup, db, 'reviews', file, ...options)
}

const classic =
  'comment_ID,comment_post_ID,product_SKU,product_title,comment_author,comment_author_email,comment_author_IP,comment_date,comment_date_gmt,comment_content,comment_approved,comment_parent,user_id,rating,verified\n'

describe('import reviews', () => {
  it('reads the classic columns with answers before their review, and derives ratings', async () => {
    const csv = `${classic}93,501,,,Shop,shop@old.test,,2023-05-03 10:00:00,,Thank <b>you</b>,1,91,1,,
91,501,CUP,Cup,Ida &amp; Bo,IDA@old.test,1.2.3.4,2023-05-01 12:00:00,2023-05-01 10:00:00,"<p>Good cup.</p><p>Holds &lt;tea&gt;.</p>",1,0,7,5,1
92,501,cup-red,,,,,2023-05-02 12:00:00,0000-00-00 00:00:00,Leaks,0,0,0,2,0
94,501,,,Ida & Bo,ida@old.test,,2023-05-04 10:00:00,,And one more thing,1,91,7,,
95,501,,,Shop,,,2023-05-05 10:00:00,,Which one?,1,94,1,,
96,,,plate,Bo,,,2023-05-05 10:00:00,,Fine,1,0,0,4.0,
97,502,,,Mallory,,,2023-05-05 10:00:00,,Buy pills,trash,0,0,,`
    const done = await imports(csv)
    expect(done.err.split('\n')).toEqual([
      'Warning: unknown column "comment_author_IP" is ignored.',
      `Warning: row 5, comment_parent, "91": is continued by its author: only the shop's answer is imported`,
      'Warning: row 6, comment_parent, "94": is part of a longer conversation',
      'Warning: row 8, comment_approved, "trash": is in the trash there',
      'Imported 7 rows: 3 reviews created, 1 updated, 0 unchanged, 3 skipped.',
    ])
    expect(done.code).toBe(0)
    expect(await reviews()).toMatchObject([
      {
        product_id: 1,
        author: 'Ida & Bo',
        email: 'IDA@old.test',
        content: 'Good cup.\nHolds <tea>.',
        rating: 5,
        status: 'approved',
        verified: true,
        reply: 'Thank you',
        replied_at: new Date('2023-05-03T10:00:00Z'),
        created_at: new Date('2023-05-01T10:00:00Z'),
        imported_id: '91',
        customer_id: null,
      },
      { product_id: 1, author: 'Anonymous', status: 'hold', rating: 2, verified: false, content: 'Leaks', reply: '' },
      { product_id: 2, author: 'Bo', rating: 4, created_at: new Date('2023-05-05T10:00:00Z') },
    ])
    expect(await ratings()).toEqual([
      [5, 1],
      [4, 1],
    ])

    const before = await reviews()
    expect((await imports(csv)).err).toContain('0 reviews created, 0 updated, 0 unchanged, 7 skipped')
    expect((await imports(csv, '--update')).err).toContain('0 reviews created, 0 updated, 4 unchanged, 3 skipped')
    expect(await reviews()).toEqual(before)

    const changed = await imports(csv.replace('Leaks,0', 'Leaks,1').replace('you</b>', 'you both</b>'), '--update')
    expect(changed.err).toContain('0 reviews created, 2 updated, 2 unchanged')
    expect(await ratings()).toEqual([
      [3.5, 2],
      [4, 1],
    ])
    expect((await reviews())[0]?.reply).toBe('Thank you both')
  })

  it('finds the review of an answer however much later it stands', async () => {
    const header = 'comment_ID,comment_parent,product_SKU,comment_author,comment_content,rating\n'
    const many = Array.from({ length: 450 }, (_, at) => `${at + 1},0,PLATE,Ida,Text ${at + 1},4\n`).join('')
    const done = await imports(`${header}900,449,PLATE,Shop,Thanks,\n901,900,PLATE,Shop,Again,\n${many}`)
    expect(done.err).toContain('row 3, comment_parent, "900": is part of a longer conversation')
    expect(done.err).toContain('Imported 452 rows: 450 reviews created, 1 updated, 0 unchanged, 1 skipped.')
    const answered = (await reviews()).filter(({ reply }) => reply !== '')
    expect(answered).toMatchObject([{ content: 'Text 449', reply: 'Thanks', imported_id: '449' }])
    expect(await ratings()).toEqual([
      [0, 0],
      [4, 450],
    ])
  })

  it('reads the files of review apps, whose reviews have no IDs', async () => {
    const csv = `title,body,rating,review_date,curated,reviewer_name,reviewer_email,product_id,product_handle,reply,reply_date,picture_urls
Lovely,Will buy again.,5,2024-01-02 10:11:12 UTC,ok,Ida,ida@old.test,8123456789012,cup,Thanks!,2024-01-03 00:00:00 UTC,https://cdn.example/1.jpg
,Hm,3,2024-01-04 10:11:12 UTC,not-yet,Bo,bo@old.test,8123456789012,https://shop.example/products/plate?x=1,,,https://cdn.example/2.jpg`
    const done = await imports(csv.replaceAll(',', ';'))
    expect(done.err.split('\n')).toEqual([
      'Warning: row 2, picture_urls: pictures of reviews are not imported, here and in further rows',
      'Imported 2 rows: 2 reviews created, 0 updated, 0 unchanged, 0 skipped.',
    ])
    expect(await reviews()).toMatchObject([
      {
        product_id: 1,
        content: 'Lovely\n\nWill buy again.',
        status: 'approved',
        reply: 'Thanks!',
        replied_at: new Date('2024-01-03T00:00:00Z'),
      },
      { product_id: 2, content: 'Hm', rating: 3, status: 'hold', reply: '', replied_at: null },
    ])
    expect((await imports(csv)).err).toContain('0 reviews created, 0 updated, 0 unchanged, 2 skipped')
    const plain = await imports('product_handle,body,rating,author\ncup,Good,5,Ida\ncup,Good,5,Ida\n')
    expect(plain.err).toContain('row 3, id: is the review of row 2, too')
    const one = await imports('product_handle,body,rating,author\ncup,Good,5,Ida\n')
    expect(one.err).toContain('1 review created')
    expect((await reviews()).at(-1)).toMatchObject({ status: 'approved', verified: false })
  })

  it('names rows and cells at fault, imports nothing then, and writes them to a file on request', async () => {
    const csv = `review_id,product_sku,product_title,reviewer_email,rating,date,content,comment_parent
1,BOWL,,,5,2024-01-01,Good,
2,CUP,,no address,5,2024-01-01,Good,
3,CUP,,,7,2024-01-01,Good,
4,CUP,,,5,someday,Good,
5,CUP,,,5,2024-01-01,,
6,,Twin,,5,2024-01-01,Good,
7,,,,5,2024-01-01,Good,
8,CUP,,,,2024-01-01,An answer,77
9,CUP,,,5,2024-01-01,Good,
9,CUP,,,5,2024-01-01,Again,`
    const refused = await imports(csv)
    expect(refused.code).toBe(1)
    for (const line of [
      'row 2, product_sku, "BOWL": is no product here',
      'row 3, reviewer_email, "no address": is no email address',
      'row 4, rating, "7": must be from 1 to 5',
      'row 5, date, "someday": must be a date like 2026-12-31',
      'row 6, content: is missing: a review here has a text',
      'row 7, product_title, "Twin": means several products here',
      'row 8, productId: is missing: the file must name the product by SKU, handle or ID',
      'row 9, comment_parent, "77": is a review that is neither in the file nor here',
      'row 11, review_id, "9": is the review of row 10, too',
    ])
      expect(refused.err).toContain(`Error: ${line}`)
    expect(refused.err).toMatch(/nothing was imported: 9 errors in .*--skip-faulty\.$/)
    expect(await reviews()).toEqual([])
    expect((await imports(csv, '--skip-faulty', '--dry-run')).err).toContain(
      'Checked 10 rows: 1 would be created, 0 updated, 0 skipped, 9 rows with errors. Nothing was changed.',
    )
    expect(await reviews()).toEqual([])
    expect((await imports(csv, '--skip-faulty')).err).toContain('1 review created')
    expect(await ratings()).toEqual([
      [5, 1],
      [0, 0],
    ])
    const faulty = (await readFile(join(folder, 'reviews.faulty.csv'), 'utf8')).trim().split('\n')
    expect(faulty).toHaveLength(10)
    expect(faulty.at(-1)).toBe(
      '8,CUP,,,,2024-01-01,An answer,77,comment_parent: is a review that is neither in the file nor here',
    )
    expect((await imports('rating,product_sku\n5,CUP\n')).err).toContain('has no column with texts of reviews')
    expect((await imports('rating,body\n5,Good\n')).err).toContain('has no column with the products')
  })

  it('reads other encodings', async () => {
    const file = join(folder, 'ansi.csv')
    await writeFile(file, Buffer.from('product_sku;body;author;rating\nPLATE;Schön;Jürgen;5/5\n', 'latin1'))
    const done = await runCommand(importGroup, db, 'reviews', file)
    expect(done.err).toContain('Warning: the encoding WINDOWS-1252 is a guess.')
    expect(await reviews()).toMatchObject([{ content: 'Schön', author: 'Jürgen', rating: 5, product_id: 2 }])
  })
})

describe('export reviews', () => {
  it('is imported again without any change, and edits of the file come in', async () => {
    await db.sql`insert into reviews
      (id, product_id, author, email, rating, content, status, verified, reply, replied_at, imported_id, created_at, updated_at) values
      (1011, 1, 'Ida', 'ida@example.test', 5, ${'Tea & <b>more</b>,\n"quoted" &amp; so on'}, 'approved', true, '=Thanks', now(), null, '2024-06-01 10:00:00.123Z', now()),
      (1012, 1, '', '', null, '-1 from me', 'hold', false, '', null, '91', '2024-06-02 10:00:00Z', now()),
      (1013, 2, 'Bo', 'not checked', 1, 'Bad', 'spam', false, '', null, null, '2024-06-03 10:00:00Z', now()),
      (1014, 2, 'Bo', '', 1, 'Gone', 'trash', false, '', null, null, '2024-06-03 10:00:00Z', now())`
    await db.sql`update products set average_rating = 5, rating_count = 1 where id = 1`
    const before = await reviews()
    const file = join(folder, 'exported.csv')
    expect((await runCommand(exportCommand, db, 'reviews', file)).err).toBe(`Exported 3 reviews to ${file}.`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const text = await readFile(file, 'utf8')
    expect(text).not.toContain('Gone')
    const again = async (...options: string[]) => runCommand(importGroup, db, 'reviews', file, '--json', ...options)
    for (const [options, counts] of [
      [['--update'], { unchanged: 3 }],
      [[], { skipped: 3 }],
    ] as const) {
      const { out, err } = await again(...options)
      expect(err).toBe('')
      expect(JSON.parse(out)).toMatchObject({ ok: true, created: 0, updated: 0, ...counts, ignoredColumns: [] })
    }
    expect(await reviews()).toEqual(before)
    expect(await ratings()).toEqual([
      [5, 1],
      [0, 0],
    ])

    await writeFile(file, text.replace(',Bad,spam,', ',Not bad,1,'))
    expect(JSON.parse((await again('--update')).out)).toMatchObject({ updated: 1, unchanged: 2 })
    expect((await reviews())[2]).toMatchObject({ id: 1013, content: 'Not bad', status: 'approved' })
    expect((await ratings())[1]).toEqual([1, 1])

    // A deleted review comes back once.
    await db.sql`delete from reviews where id = 1011`
    expect(JSON.parse((await again('--update')).out)).toMatchObject({ created: 1, unchanged: 2 })
    expect(JSON.parse((await again('--update')).out)).toMatchObject({ created: 0, unchanged: 3 })
  })
})
