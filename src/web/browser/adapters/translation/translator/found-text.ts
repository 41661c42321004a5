/** A text to translate, in its node or attribute. */
export type FoundText = {
  readonly node: Text | Element
  /** The attribute; '' for a text node. */
  readonly name: string
  /** The parent that received the text; for a text changed in place, its node. */
  readonly place: Node
  /** The text without surrounding whitespace: the requested form. */
  readonly text: string
  /** The text as found. */
  readonly seen: string
  readonly noMachine: boolean
  /** Removed until its translation arrives. */
  blank: boolean
}

/** Returns the current value. */
export function shownIn({ node, name }: Pick<FoundText, 'node' | 'name'>): string | null {
  return node instanceof Text ? node.data : node.getAttribute(name)
}

/** Writes a value without structural changes. A URL that would lead to something other than a page is not written. */
export function write({ node, name }: Pick<FoundText, 'node' | 'name'>, value: string): void {
  if (node instanceof Text) {
    const option = node.parentElement
    // An option without a value submits its text.
    if (option instanceof HTMLOptionElement && !option.hasAttribute('value')) option.setAttribute('value', option.text)
    node.data = value
  } else if (mayLeadTo(name, value)) {
    node.setAttribute(name, value)
    if (name === 'src' && node instanceof HTMLImageElement) {
      // Else the browser would keep showing another source.
      node.setAttribute('srcset', '')
      node.setAttribute('data-src', value)
    }
  }
}

function mayLeadTo(name: string, value: string): boolean {
  if (name !== 'href' && name !== 'src' && name !== 'poster') return name !== 'srcset' || !/[a-z]+script:/i.test(value)
  if (!URL.canParse(value, document.baseURI)) return false
  return /^(?:https?|mailto|tel):$/.test(new URL(value, document.baseURI).protocol)
}
