import sanitizeHtml from 'sanitize-html'

const tags = [
  ...['p', 'br', 'hr', 'div', 'span', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code', 'address'],
  ...['b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'mark', 'small', 'sub', 'sup', 'abbr', 'cite', 'q', 'kbd'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'a', 'img', 'picture', 'figure', 'figcaption', 'details', 'summary', 'time'],
  ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'section', 'article', 'wbr'],
]

const options: sanitizeHtml.IOptions = {
  allowedTags: tags,
  allowedAttributes: {
    '*': ['class', 'title', 'lang', 'dir'],
    a: ['href', 'target', 'rel'],
    img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading'],
    ol: ['start', 'type', 'reversed'],
    li: ['value'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
    col: ['span'],
    time: ['datetime'],
    details: ['open'],
  },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  // A link that opens a window must not hand it this page.
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: attribs.target === '_blank' ? { ...attribs, rel: 'noopener' } : attribs,
    }),
  },
}

/**
 * Returns a merchant's markup with the allowed elements and attributes only: texts, lists, tables, links and images. A
 * script, a style, a form and a frame are removed with their content. The result is idempotent, and text without markup
 * stays as it is.
 */
export function cleanMarkup(markup: string): string {
  return markup.includes('<') ? sanitizeHtml(markup, options) : markup
}

/** Returns true for markup from which `cleanMarkup` takes a program away: a script, a frame, a form or a handler. */
export function hasProgram(markup: string): boolean {
  return /<(?:script|iframe|object|embed|form|input|style|svg|meta|link|base)\b|<[^>]+\son\w+\s*=|javascript:/i.test(
    markup,
  )
}
