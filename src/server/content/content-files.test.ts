import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '#contract/shared/environment.ts'
import { type ContentFiles, readContentFiles } from './content-files.ts'

let folder: string
let said: string[]
let changes: number
let nowMs: number
let files: ContentFiles | undefined

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'content-'))
  said = []
  changes = 0
  nowMs = 0
})
afterEach(async () => {
  files?.stop()
  await rm(folder, { recursive: true, force: true })
})

const log: Log = {
  info: () => {},
  warn: (_, message) => said.push(message.replaceAll(`${folder}/`, '')),
  error: (_, message) => said.push(message),
}

async function read(): Promise<ContentFiles> {
  files = await readContentFiles({
    folder,
    reserved: (slug) => slug === 'cart',
    clock: { now: () => new Date(nowMs) },
    log,
    onChange: () => {
      changes += 1
    },
  })
  return files
}

let written = 0
async function write(name: string, ...lines: string[]): Promise<void> {
  await writeFile(join(folder, name), `${lines.join('\n')}\n`)
  // A distinct modification time, whatever the file system's resolution.
  written += 1
  await utimes(join(folder, name), 1_700_000_000 + written, 1_700_000_000 + written)
}

describe('the content folder', () => {
  it('gives its pages in the order of menus', async () => {
    await write(
      'about.md',
      '---',
      'title: "About us"',
      'description: Who we are',
      'menu: main',
      'order: 2',
      '---',
      'Hello',
    )
    await write('terms.md', '---', 'title: Terms', 'menu: footer', 'order: 1', '---', 'Rules')
    const { contentPages, find } = await read()
    expect(contentPages()).toEqual([
      { slug: 'terms', title: 'Terms', description: '', menu: 'footer', order: 1 },
      { slug: 'about', title: 'About us', description: 'Who we are', menu: 'main', order: 2 },
    ])
    expect(find('about')?.markdown).toBe('Hello\n')
    expect(said).toEqual([])
  })

  it('has a page in the language of the visitor where there is a file for it', async () => {
    await write('terms.md', '---', 'title: Terms', '---')
    await write('terms.de.md', '---', 'title: Bedingungen', '---')
    const { contentPages, find } = await read()
    const titles = ['de', 'de-AT', 'fr', undefined].map((language) => find('terms', language)?.title)
    expect(titles).toEqual(['Bedingungen', 'Bedingungen', 'Terms', 'Terms'])
    expect(contentPages()).toHaveLength(1)
  })

  it('keeps drafts back, and what they are in other languages', async () => {
    await write('about.md', '---', 'title: About', 'draft: no', '---', 'Us')
    await write('about.de.md', '---', 'title: Über uns', 'draft: yes', '---', 'Wir')
    await write('terms.md', '---', 'title: Terms', 'draft: yes', '---', 'Rules')
    await write('terms.de.md', '---', 'title: Bedingungen', '---', 'Regeln')
    await write('contact.md', '---', 'title: Contact', 'draft: soon', '---', 'Where')
    const { contentPages, find } = await read()
    expect(contentPages().map(({ slug }) => slug)).toEqual(['about'])
    expect(find('about', 'de')?.title).toBe('About')
    expect([find('terms'), find('terms', 'de'), find('contact')]).toEqual([undefined, undefined, undefined])
    expect(said).toEqual([expect.stringContaining('contact.md:3: draft must be yes or no, not "soon"')])
  })

  it('names file and line of what is wrong, and shows the page all the same', async () => {
    await write('about.md', '---', 'title: About', 'menu: foter', 'colour: red', 'order: first', 'oops', '---', 'Hello')
    await write('cart.md', '---', 'title: Cart', '---')
    await write('Über uns.md', 'Hello')
    await write('lost.md', '---', 'title: Never ends')
    const { contentPages } = await read()
    expect(contentPages()).toEqual([{ slug: 'about', title: 'About', description: '', menu: 'none', order: 0 }])
    expect(said).toEqual([
      expect.stringContaining('about.md:3: menu must be main, footer, none, not "foter"'),
      expect.stringContaining('about.md:4: colour is not known'),
      expect.stringContaining('about.md:5: order must be a whole number'),
      expect.stringContaining('about.md:6: "oops" is not of the form'),
      expect.stringContaining('cart.md:1: /cart/ is an address of the shop itself'),
      expect.stringContaining('lost.md:1: the head begins with --- and has no second'),
      expect.stringMatching(/^Über uns\.md:1: a page is named in small letters/u),
    ])
  })

  it('names file and line where letters are not in UTF-8, and keeps the last good reading', async () => {
    await write('about.md', '---', 'title: About', '---', 'Grüße')
    await writeFile(join(folder, 'latin.md'), Buffer.from('---\ntitle: Latin\n---\nHello\nGr\xfc\xdfe\n', 'latin1'))
    const { find, look } = await read()
    const notice = 'there are letters here that are not in UTF-8: have your editor save the file so'
    expect(said).toEqual([`latin.md:5: ${notice}`])
    expect(find('latin')?.title).toBe('Latin')
    await writeFile(join(folder, 'about.md'), Buffer.from('---\ntitle: \xdcber uns\n---\nHello\n', 'latin1'))
    nowMs += 2000
    await look()
    expect(said).toContain(`about.md:2: ${notice}`)
    expect(find('about')).toMatchObject({ title: 'About', markdown: 'Grüße\n' })
  })

  it('keeps the last good reading of a page that was broken, and takes a change in without a restart', async () => {
    await write('about.md', '---', 'title: About', '---', 'One')
    const { find, look } = await read()
    await write('about.md', '---', 'title: About')
    nowMs += 2000
    await look()
    expect(find('about')?.markdown).toBe('One\n')
    await write('about.md', '---', 'title: About', '---', 'Two')
    // Reported by the watcher, or found by the next check.
    nowMs += 2000
    await look()
    expect(find('about')?.markdown).toBe('Two\n')
    expect(changes).toBeGreaterThan(0)
  })

  it('is no reason not to open the shop when it is missing', async () => {
    await rm(folder, { recursive: true })
    const { contentPages } = await read()
    expect(contentPages()).toEqual([])
    expect(said).toEqual(['content folder missing or empty'])
  })
})
