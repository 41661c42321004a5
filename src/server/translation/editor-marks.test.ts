import { expect, it } from 'vitest'
import { candidatesIn, type Mark, withMarks } from './editor-marks.ts'

const marks = (known: Record<string, Mark>) => (text: string) => (Object.hasOwn(known, text) ? known[text] : undefined)
const of = (id: number, more: Partial<Mark> = {}): Mark => ({ id, group: 'Interface', ...more })
const plain = (html: string) =>
  html.replace(/<\/?translate-press[^>]*>/g, '').replace(/ data-trp-[\w-]+(?:="[^"]*")?/g, '')

it('TRN-09 wraps a text, and keeps the blanks around it outside', () => {
  expect(withMarks('<p> Cart\n</p>', marks({ Cart: of(7) }))).toBe(
    '<p> <translate-press data-trp-translate-id="7" data-trp-node-group="Interface">Cart</translate-press>\n</p>',
  )
})

it('TRN-09 names the element where no element may stand inside, and for attributes', () => {
  const known = marks({ Cart: of(7), Search: of(8) })
  expect(withMarks('<title>Cart</title>', known)).toBe(
    '<title data-trp-translate-id="7" data-trp-node-group="Interface">Cart</title>',
  )
  expect(withMarks('<option value="1">Cart</option>', known)).toContain('<option value="1" data-trp-translate-id="7"')
  expect(withMarks('<input placeholder="Search"/>', known)).toBe(
    '<input placeholder="Search" data-trp-translate-id-placeholder="8" data-trp-node-group-placeholder="Interface"/>',
  )
  expect(withMarks('<img alt="Cart" title="Search">', known)).toContain('data-trp-translate-id-title="8"')
})

it('finds what was filled in, and texts in the company of others as whole words', () => {
  const known = marks({ '3 items': of(1, { values: [3], form: 'other' }), Total: of(2) })
  expect(withMarks('<b>3 items</b>', known)).toContain('data-trp-values="[3]" data-trp-form="other">3 items<')
  expect(withMarks('<p>Total: $4</p>', known, ['Total'])).toBe(
    '<p><translate-press data-trp-translate-id="2" data-trp-node-group="Interface">Total</translate-press>: $4</p>',
  )
  expect(withMarks('<p>Totally</p>', known, ['Total'])).toBe('<p>Totally</p>')
})

it('takes a sentence with markup as one', () => {
  const html = '<div><p>Read our <a href="/terms/">terms</a> first.</p></div>'
  const sentence = 'Read our <a href="/terms/">terms</a> first.'
  const made = withMarks(html, (text, markup) => (markup && text === sentence ? of(3, { markup: true }) : undefined))
  expect(made).toBe(
    `<div><p><translate-press data-trp-translate-id="3" data-trp-node-group="Interface" data-trp-markup>${sentence}</translate-press></p></div>`,
  )
  expect(candidatesIn(html).markup).toEqual([sentence])
})

it('leaves scripts, styles, values, code and what is not to be translated alone, and changes nothing else', () => {
  const html = `<!doctype html><html><head><title>x</title><style>Cart{}</style><link title="Cart" href="/a"></head><body>
    <script>"Cart"</script><textarea>Cart</textarea><code>Cart</code><p translate="no">Cart</p><svg><title>Cart</title></svg>
    <p class="notranslate">Cart</p><input type="text" value="Cart"><!-- Cart --><p>Cart &amp; <i>Cart</i></p><p>12 %</p></body></html>`
  const made = withMarks(html, marks({ Cart: of(1) }), ['Cart'])
  expect(plain(made)).toBe(html)
  expect(made.match(/<translate-press/g)).toHaveLength(2)
})

it('is safe with whatever a text holds', () => {
  const odd = ['$&', '__proto__', 'constructor', '<b>', '"quoted"', '\u202Eturned']
  for (const [id, text] of odd.entries()) {
    const written = `A ${text} b`.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
    const html = `<p title="${written}">${written}</p>`
    const made = withMarks(html, (shown) => (shown === `A ${text} b` ? of(id + 1, { group: '"><script>' }) : undefined))
    expect(plain(made)).toBe(html)
    expect(made).not.toContain('<script>')
    expect(made).toContain('data-trp-translate-id-title=')
  }
})
