/** Reads rendered markup back in tests. Knows only what React writes: well-formed elements, quoted attributes. */

export type Node = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly parent: Node | undefined
  readonly children: (Node | string)[]
}

const VOID = new Set(['area', 'br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

export function parseMarkup(html: string): Node {
  const root: Node = { name: '', attributes: {}, parent: undefined, children: [] }
  let here = root
  const tokens = /<!--[\s\S]*?-->|<!doctype html>|<(\/?)([a-z][\w-]*)([^>]*?)(\/?)>|([^<]+)/gi
  for (const [token, closing, name = '', attributes = '', selfClosing, text] of html.matchAll(tokens)) {
    if (text !== undefined) here.children.push(decode(text))
    else if (closing) {
      if (here.name !== name) throw new Error(`${token} closes <${here.name}>`)
      here = here.parent ?? root
    } else if (name) {
      const node: Node = { name, attributes: readAttributes(attributes), parent: here, children: [] }
      here.children.push(node)
      if (!VOID.has(name) && !selfClosing) here = node
    }
  }
  return root
}

/** All elements that match a selector of tags, classes, ids, attributes, and the combinators ` ` and `>`. */
export function select(html: string | Node, selector: string): Node[] {
  const root = typeof html === 'string' ? parseMarkup(html) : html
  return descendants(root).filter((node) => matches(node, selector.trim().split(/\s+/), root))
}

/** @throws when there is not exactly one. */
export function theOne(html: string | Node, selector: string): Node {
  const [found, ...others] = select(html, selector)
  if (!found || others.length > 0) throw new Error(`${found ? others.length + 1 : 0} elements match ${selector}`)
  return found
}

export function textOf(node: Node): string {
  return node.children
    .map((child) => (typeof child === 'string' ? child : textOf(child)))
    .join('')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

export function descendants(node: Node): Node[] {
  return node.children.flatMap((child) => (typeof child === 'string' ? [] : [child, ...descendants(child)]))
}

function matches(node: Node, steps: readonly string[], root: Node): boolean {
  const last = steps.at(-1)
  if (last === undefined) return true
  if (!matchesOne(node, last)) return false
  const before = steps.slice(0, -1)
  if (before.length === 0) return true
  if (before.at(-1) === '>') return node.parent !== undefined && matches(node.parent, before.slice(0, -1), root)
  for (let above = node.parent; above && above !== root; above = above.parent) {
    if (matches(above, before, root)) return true
  }
  return false
}

function matchesOne(node: Node, compound: string): boolean {
  const parts = compound.match(/^[a-z][\w-]*|[.#][^.#[]+|\[[^\]]+\]/gi) ?? []
  const classes = (node.attributes.class ?? '').split(/\s+/)
  return parts.every((part) => {
    if (part.startsWith('.')) return classes.includes(part.slice(1))
    if (part.startsWith('#')) return node.attributes.id === part.slice(1)
    if (!part.startsWith('[')) return node.name === part
    const [name = '', value] = part.slice(1, -1).split('=')
    return value === undefined ? name in node.attributes : node.attributes[name] === value.replaceAll('"', '')
  })
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      decode(value),
    ]),
  )
}

function decode(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name) => ENTITIES[name] ?? whole)
}
