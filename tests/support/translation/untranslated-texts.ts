import { type Node, parseMarkup } from '#tests/support/shared/rendered-markup.ts'

/** Elements within which a text is read as one. */
const inline = new Set(
  'a abbr b bdi button del em font i ins label mark q s small span strong sub sup time u'.split(' '),
)
const silent = new Set(['script', 'style', 'template', 'svg', 'textarea'])
const spoken = ['title', 'placeholder', 'alt', 'aria-label', 'aria-description', 'data-title', 'content'] as const
/** Data of scripts that they show as it is. */
const shown = /^data-(?:success_message|unreachable|failed|slow|not-loaded|approved|ready|cancel|offline|announcement)$/

/** Every text of a page, or of a part, that a visitor reads and that stands outside of brackets: it went through no translation. */
export function unbracketed(html: string): string[] {
  const found: string[] = []
  const tell = (text: string, where: string) => {
    const rest = outside(text)
    if (/\p{L}{2,}/u.test(rest)) found.push(`${where}: ${text.replace(/\s+/g, ' ').trim().slice(0, 120)}`)
  }
  const look = (node: Node) => {
    if (isData(node)) return
    if (node.name === 'meta') {
      if (/^(?:description|og:title|og:description|og:image:alt)$/.test(nameOf(node)))
        tell(node.attributes.content ?? '', nameOf(node))
      return
    }
    for (const [name, value] of Object.entries(node.attributes)) {
      const isRead = spoken.some((one) => one === name) || shown.test(name)
      const onButton =
        name === 'value' && node.name === 'input' && /^(?:submit|button)$/.test(node.attributes.type ?? '')
      if (isRead || onButton) tell(value, `${node.name}[${name}]`)
    }
    if (silent.has(node.name)) return
    // Texts beside each other are read as one; what stands among them as a block is looked at by itself.
    let run = ''
    const flush = () => {
      tell(run, `${node.name}.${node.attributes.class ?? ''}`)
      run = ''
    }
    for (const child of node.children) {
      if (typeof child === 'string') run += child
      else if (isData(child)) run += ' '
      else if (inline.has(child.name)) {
        run += flat(child)
        for (const name of spoken)
          if (child.attributes[name]) tell(child.attributes[name] ?? '', `${child.name}[${name}]`)
      } else {
        flush()
        look(child)
      }
    }
    flush()
  }
  look(parseMarkup(html))
  return found
}

/** What merchants and visitors have typed, and names that are the same everywhere. */
function isData({ name, attributes }: Node): boolean {
  return (
    attributes.translate === 'no' ||
    // Dates, which are written as the language does.
    name === 'time' ||
    // Countries and states, which the platform names.
    (name === 'select' && /country|state/.test(attributes.name ?? '')) ||
    // A page of text comes from a file of its own for each language, and the terms are shown at the checkout as well.
    /\bcontent-page\b|^woocommerce-terms-and-conditions$/.test(attributes.class ?? '')
  )
}

const nameOf = ({ attributes }: Node) => attributes.name ?? attributes.property ?? ''

function flat(node: Node): string {
  if (isData(node) || silent.has(node.name)) return ' '
  return node.children.map((child) => (typeof child === 'string' ? child : flat(child))).join('')
}

/** @returns what of a text stands outside of brackets */
export function outside(text: string): string {
  let depth = 0
  let rest = ''
  for (const sign of text) {
    if (sign === '⟦') depth += 1
    else if (sign === '⟧') depth -= 1
    else if (depth <= 0) rest += sign
  }
  return rest
}
