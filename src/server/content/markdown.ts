import MarkdownIt from 'markdown-it'

/** A heading with an anchor. */
export type Heading = { readonly id: string; readonly text: string; readonly level: number }

export type Rendered = {
  readonly html: string
  readonly headings: readonly Heading[]
  readonly links: readonly string[]
}

/** Ids of the surrounding page: a heading with such a name gets another id. */
const taken = ['main', 'masthead', 'colophon', 'mini-cart', 'search-drawer', 'site-search', 'on-this-page']

// Raw HTML is disabled: a page contains only markup that the styles cover, and a pasted script stays text.
const parser = new MarkdownIt({ html: false, linkify: false, typographer: false })

/**
 * Renders Markdown for a page whose title is its only first-level heading: the text's own headings begin one level
 * below.
 * @param tableLabel accessible name of the scrolling container of a wide table
 * @param original headings of the translated text: if their number matches, links to them work here as well
 */
export function renderMarkdown(text: string, tableLabel: string, original: readonly Heading[] = []): Rendered {
  const tokens = parser.parse(text, {})
  const named = tokens.filter(({ type }) => type === 'heading_open').length === original.length ? original : []
  const headings: Heading[] = []
  const links: string[] = []
  const ids = new Set(taken)
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      const level = Math.max(2, Number(token.tag.slice(1)))
      token.tag = `h${level}`
      if (token.type === 'heading_open') {
        const words = plainText(tokens[at + 1]?.children ?? [])
        const id = freeId(named[headings.length]?.id || slugOf(words) || `section-${headings.length + 1}`, ids)
        token.attrSet('id', id)
        headings.push({ id, text: words, level })
      }
    }
    if (token.type === 'th_open') token.attrSet('scope', 'col')
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') links.push(String(child.attrGet('href') ?? ''))
    }
  }
  const html = parser.renderer
    .render(tokens, parser.options, {})
    .replaceAll(
      '<table>',
      `<div class="table-scroll" role="group" aria-label="${parser.utils.escapeHtml(tableLabel)}" tabindex="0"><table>`,
    )
    .replaceAll('</table>', '</table></div>')
  return { html, headings, links }
}

function plainText(tokens: readonly { type: string; content: string }[]): string {
  return tokens
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('')
}

/** Only letters, digits and hyphens: scripts scroll to no other hash. */
function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
}

function freeId(wanted: string, ids: Set<string>): string {
  let id = wanted
  for (let next = 2; ids.has(id); next += 1) id = `${wanted}-${next}`
  ids.add(id)
  return id
}
