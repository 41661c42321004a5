import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findStoredFile } from '#shop/orders/downloads/stored-file.ts'
import { fileResponse, wantedRange } from './download-file.ts'

let outside: string
let folder: string
beforeAll(async () => {
  outside = await mkdtemp(join(tmpdir(), 'vitrine-files-'))
  folder = join(outside, 'downloads')
  await mkdir(join(folder, 'books'), { recursive: true })
  await writeFile(join(folder, 'books', 'Tee für zwei.pdf'), '0123456789')
  await writeFile(join(folder, '.hidden'), 'hidden')
  await writeFile(join(outside, 'secret.txt'), 'secret')
  await symlink(join(outside, 'secret.txt'), join(folder, 'leads-out.txt'))
  await symlink(outside, join(folder, 'up'))
})
afterAll(() => rm(outside, { recursive: true, force: true }))

const book = async () => {
  const file = await findStoredFile(folder, 'books/Tee für zwei.pdf')
  if (!file) throw new Error('the book is not there')
  return file
}
const range = async (header: string, more: Record<string, string> = {}) =>
  wantedRange(new Headers({ range: header, ...more }), await book())

describe('files that customers buy', () => {
  it('are found below their folder', async () => {
    expect(await book()).toMatchObject({ size: 10 })
  })

  it.each([
    '../secret.txt',
    'books/../../secret.txt',
    '/etc/passwd',
    '//etc/passwd',
    'leads-out.txt',
    'up/secret.txt',
    '.hidden',
    'books/./Tee für zwei.pdf',
    'books\\..\\..\\secret.txt',
    'books/\0',
    'books',
    'books/',
    '',
    '.',
    '..',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'x'.repeat(5000),
    'no-such-file.pdf',
  ])('are nothing else: %j', async (path) => {
    expect(await findStoredFile(folder, path)).toBeNull()
  })

  it('keep their name, in letters of all kinds', async () => {
    const { headers } = await fileResponse(await book(), null, true)
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="Tee f_r zwei.pdf"; filename*=UTF-8''Tee%20f%C3%BCr%20zwei.pdf`,
    )
    expect(headers.get('content-type')).toBe('application/pdf')
  })

  it.each([
    ['bytes=0-3', { start: 0, end: 3 }],
    ['bytes=4-', { start: 4, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=8-99', { start: 8, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', null],
    ['bytes=-', null],
    ['bytes=0-1,4-5', null],
    ['lines=1-2', null],
    ['bytes=1e3-', null],
    ['bytes=99999999999999999999-', null],
  ])('give the part that is asked for: %s', async (header, expected) => {
    expect(await range(header)).toEqual(expected)
  })

  it('give all of it to who has a part of another state', async () => {
    const { etag } = await book()
    expect(await range('bytes=4-', { 'if-range': etag })).toEqual({ start: 4, end: 9 })
    expect(await range('bytes=4-', { 'if-range': '"older"' })).toBeNull()
  })

  it('stream the part and nothing more', async () => {
    const response = await fileResponse(await book(), { start: 4, end: 6 }, false)
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe('bytes 4-6/10')
    expect(response.headers.get('content-length')).toBe('3')
    expect(await response.text()).toBe('456')
  })
})
