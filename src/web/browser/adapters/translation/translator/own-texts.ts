import { parsePage } from '../../../runtime/trusted-markup.ts'
import { templateOf } from './text-templates.ts'

export type OwnTextsParts = {
  /** Attributes that hold texts. */
  readonly attributes: readonly string[]
  /** Markup of responses; emptied as it is read. */
  readonly markup: string[]
  /** Parts of the page that scripts have removed; emptied as well. */
  readonly gone: Set<Node>
  /** Nodes that were inserted later or have changed: their texts are not the shop's. */
  readonly came: WeakSet<Node>
  readonly changed: WeakSet<Node>
}

/**
 * Collects the texts that the shop sent to this page in its language: the page, its script settings, and later
 * responses. Such a text needs no translation when a script shows it. The texts are read at the first call.
 */
export function ownTexts({ attributes, markup, gone, came, changed }: OwnTextsParts): (text: string) => boolean {
  const known = new Set<string>()
  const patterns: RegExp[] = []
  gone.add(document.body)

  function learn(text: string): void {
    const line = oneLine(text)
    if (/^[[{]/.test(line)) {
      try {
        learnAll(JSON.parse(line))
        return
      } catch {
        // Not JSON, but a text that starts with a bracket.
      }
    }
    known.add(templateOf(line))
    // Texts with placeholders are shown filled in.
    const parts = line.split(/%(?:\d\$)?s|%qty%/)
    if (parts.length > 1 && /\p{L}{3}/u.test(parts.join(''))) {
      patterns.push(new RegExp(`^${parts.map((part) => part.replace(/\W/g, '\\$&')).join('.*')}$`))
    }
  }

  function learnAll(value: unknown): void {
    if (typeof value === 'string') learn(value)
    else for (const inner of Object.values(value ?? {})) learnAll(inner)
  }

  /** @param whole all of it is the shop's, and a script may show the text of a whole line */
  function learnTree(root: Node, whole = false): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      came.has(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    )
    for (let node: Node | null = root; node; node = walker.nextNode()) {
      if (changed.has(node)) continue
      if (node instanceof Text || whole) learn(node.textContent ?? '')
      if (!(node instanceof Element)) continue
      for (const { name, value } of node.attributes) {
        if (name.startsWith('data-') || attributes.includes(name)) learn(value)
      }
      if (node instanceof HTMLTemplateElement) learnTree(node.content)
    }
  }

  return (text) => {
    for (const one of gone) learnTree(one)
    gone.clear()
    // Parsing adds to `markup` again.
    for (const one of [...markup]) learnTree(parsePage(one).body, one.length < 50_000)
    markup.length = 0
    const line = oneLine(text)
    return known.has(templateOf(line)) || patterns.some((pattern) => pattern.test(line))
  }
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
