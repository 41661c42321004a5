/** A text of the page that is to be translated, in the node or the attribute where it stands. */
export type FoundText = {
  readonly node: Text | Element
  /** The attribute; '' for a text. */
  readonly name: string
  /** What the text was put into; where it was changed in place, its node. */
  readonly place: Node
  /** Without the blanks around it: what is asked for. */
  readonly text: string
  /** As it was found. */
  readonly seen: string
  readonly noMachine: boolean
  /** Taken away until its translation is there. */
  blank: boolean
}

/** What stands there now. */
export function shownIn({ node, name }: Pick<FoundText, 'node' | 'name'>): string | null {
  return node instanceof Text ? node.data : node.getAttribute(name)
}

/** Writes a value, and nothing of the page's structure. An address that would lead elsewhere than to a page stays. */
export function write({ node, name }: Pick<FoundText, 'node' | 'name'>, value: string): void {
  if (node instanceof Text) {
    const option = node.parentElement
    // An option without a value sends its text.
    if (option instanceof HTMLOptionElement && !option.hasAttribute('value')) option.setAttribute('value', option.text)
    node.data = value
  } else if (mayLeadTo(name, value)) {
    node.setAttribute(name, value)
    if (name === 'src' && node instanceof HTMLImageElement) {
      // Else the browser would go on showing one of the other pictures.
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
