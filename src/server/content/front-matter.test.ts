import { describe, expect, it } from 'vitest'
import { parseContent } from './front-matter.ts'

const parse = (...head: string[]) => parseContent(['---', ...head, '---', 'Hello'].join('\n'), 'Fallback')

describe('the head of a content file', () => {
  it('is YAML as other programs write it', () => {
    const matter = { title: 'Tea: a guide', description: 'One sentence on two lines.', order: -3, draft: false }
    expect(
      parse('# ours', 'title: "Tea: a guide"', 'description: >-', '  One sentence', '  on two lines.', "order: '-3'"),
    ).toMatchObject({ matter, body: 'Hello', faults: [] })
  })

  it.each(['2024', 'null', 'yes', '0x10', '1e3', '12:30', "it's"])('keeps the title %s as it is written', (title) => {
    expect(parse(`title: ${title}`)).toMatchObject({ matter: { title }, faults: [] })
  })

  it('takes a colon in a text without quotation marks, as it always did', () => {
    expect(parse('title: Returns: how it works: 2', 'menu: main')).toMatchObject({
      matter: { title: 'Returns: how it works: 2', menu: 'main' },
      faults: [],
    })
  })

  it.each([
    [['menu: main', 'title: [Tea]'], 3, 'quotation marks'],
    [['menu: main', 'title: *tea'], 3, 'must be text'],
    [['menu: main', 'title: @tea'], 3, 'must be text'],
    [['title: Tea', 'menu: main', 'title: Coffee'], 4, 'second time'],
    [['description: "never ends', 'title: Tea', 'menu: main'], 2, 'quote'],
    [['title: {', 'menu: main'], 2, 'must be text'],
    [['- title: Tea', 'menu: main'], 2, 'not of the form'],
    [['title Tea', 'menu: main'], 2, 'not of the form'],
    [['title:Tea', 'menu: main'], 2, 'not of the form'],
  ])('reports the line of what is wrong, and keeps the rest (%#)', (head, line, message) => {
    expect(parse(...head)).toMatchObject({
      matter: { menu: 'main' },
      faults: expect.arrayContaining([{ line, message: expect.stringContaining(message) }]),
    })
  })

  it.each([
    [['title: "never ends', 'draft: yes']],
    [['draft: [yes', 'title: Tea']],
    [['title: Tea', 'draft: no: never']],
    [['title: {', 'draft: yes']],
    [['title: Tea', 'draft:']],
  ])('publishes no draft by mistake (%#)', (head) => {
    expect(parse(...head)).toMatchObject({ matter: { draft: true } })
  })

  it('makes nothing large of a small file', () => {
    const bomb = Array.from({ length: 30 }, (_, n) => `a${n}: &a${n} [${n ? `*a${n - 1}, *a${n - 1}` : 'x'}]`)
    const parsed = parse('title: Tea', ...bomb)
    expect(parsed).toMatchObject({ matter: { title: 'Tea' } })
    expect(parsed.faults).toHaveLength(30)
    expect(parse('title: Tea', '__proto__: {draft: yes}')).toMatchObject({ matter: { draft: false } })
  })
})
