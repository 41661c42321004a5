import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './markdown.ts'

describe('Markdown of a content page', () => {
  it('has headings below the title, each with an address that no other part of the page has', () => {
    const { html, headings } = renderMarkdown('# Main\n\n## Où & *quand*\n\n## Main\n\n## 送料\n', 'Table')
    expect(headings).toEqual([
      { id: 'main-2', text: 'Main', level: 2 },
      { id: 'ou-quand', text: 'Où & quand', level: 2 },
      { id: 'main-3', text: 'Main', level: 2 },
      { id: 'section-4', text: '送料', level: 2 },
    ])
    expect(html).not.toContain('<h1')
    for (const { id } of headings) expect(html).toContain(`id="${id}"`)
  })

  it('names the headings of a translation as those of its original, where there are as many', () => {
    const { headings } = renderMarkdown('## Sending something back\n\n## Main\n', '')
    const ids = (text: string) => renderMarkdown(text, '', headings).headings.map(({ id }) => id)
    expect(ids('## Etwas zurücksenden\n\n## メイン\n')).toEqual(['sending-something-back', 'main-2'])
    expect(ids('## Etwas zurücksenden\n')).toEqual(['etwas-zurucksenden'])
  })

  it('runs nothing that stands in the file', () => {
    const { html } = renderMarkdown('<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=y>', 'Table')
    expect(html).not.toMatch(/<script|<img|href="javascript/)
  })

  it('puts a table into a box that the keyboard can scroll, and says what its columns are', () => {
    const { html } = renderMarkdown('| A | B |\n| - | - |\n| 1 | 2 |\n', 'Table "x"')
    expect(html).toContain(
      '<div class="table-scroll" role="group" aria-label="Table &quot;x&quot;" tabindex="0"><table>',
    )
    expect(html).toContain('<th scope="col">A</th>')
  })

  it('gives the links of a text, to be checked', () => {
    expect(renderMarkdown('[a](/terms/#one) and <https://example.test/>', '').links).toEqual([
      '/terms/#one',
      'https://example.test/',
    ])
  })
})
