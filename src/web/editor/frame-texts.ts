import { type FrameText, marks } from '#contract/translation/editor.ts'
import { fillIn } from '#domain/translation/message.ts'

/** A text of an element. `kind`: `text`, or the name of the attribute. */
export type FrameMark = { readonly id: number; readonly group: string; readonly kind: string }

const attribute = /^data-trp-translate-id-(.+)$/

export function markedIn(root: ParentNode): readonly Element[] {
  const names = ['alt', 'title', 'aria-label', 'aria-description', 'placeholder', 'value', 'content']
  const selector = [marks.id, ...names.map((name) => marks.of(name).id)].map((name) => `[${name}]`).join(',')
  return [...root.querySelectorAll(selector)]
}

export function marksOf(element: Element): readonly FrameMark[] {
  const found: FrameMark[] = []
  for (const { name, value } of element.attributes) {
    const of = attribute.exec(name)?.[1]
    if (name !== marks.id && of === undefined) continue
    const id = Number(value)
    if (!Number.isSafeInteger(id) || id <= 0) continue
    const group = element.getAttribute(of === undefined ? marks.group : marks.of(of).group) ?? ''
    found.push({ id, group, kind: of ?? (element.localName === 'title' ? 'page' : kindOf(element)) })
  }
  return found
}

const kindOf = (element: Element) => (element.localName === 'option' ? 'option' : 'text')

/** Returns the element's own text before those of its attributes. */
export function idOf(element: Element | null): number | undefined {
  if (!element) return undefined
  const found = marksOf(element)
  return (found.find(({ kind }) => kind === 'text' || kind === 'option') ?? found[0])?.id
}

/** Returns every text of a page once, in reading order. */
export function textsIn(root: ParentNode): FrameText[] {
  const texts = new Map<number, FrameText>()
  for (const element of markedIn(root)) {
    for (const { id, group, kind } of marksOf(element)) {
      const text = shownText(element, kind).replace(/\s+/g, ' ').trim().slice(0, 300)
      const before = texts.get(id)
      // A visible text takes precedence over the same text in an attribute.
      if (!before || (before.kind !== 'text' && kind === 'text')) texts.set(id, { id, group, kind, text })
    }
  }
  return [...texts.values()]
}

export function shownText(element: Element, kind: string): string {
  const isText = kind === 'text' || kind === 'option' || kind === 'page'
  return (isText ? element.textContent : element.getAttribute(kind)) ?? ''
}

/** Shows a draft as plain text: its markup is rendered when the page is reloaded. */
export function writeInto(element: Element, id: number, forms: Readonly<Record<string, string>>): void {
  for (const mark of marksOf(element)) {
    if (mark.id !== id || mark.kind === 'page') continue
    const form = element.getAttribute(marks.form) ?? ''
    const said = forms[form] ?? forms.other ?? forms['']
    if (said === undefined) continue
    if (mark.kind !== 'text' && mark.kind !== 'option') {
      element.setAttribute(mark.kind, said)
      continue
    }
    const text = fillIn(said, valuesOf(element))
    element.textContent = element.hasAttribute(marks.markup) ? withoutTags(text) : text
  }
}

/** Returns the values that the shop filled in. */
function valuesOf(element: Element): (string | number)[] {
  try {
    const values: unknown = JSON.parse(element.getAttribute(marks.values) ?? '[]')
    return Array.isArray(values) ? values.map((value) => (typeof value === 'number' ? value : String(value))) : []
  } catch {
    return []
  }
}

function withoutTags(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
