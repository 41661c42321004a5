import { FileFault } from './exchange.ts'

export type XmlElement = {
  /** Without its prefix. */
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly (XmlElement | string)[]
  readonly line: number
}

const openTag = /<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const closeTag = /<\/(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)\s*>/y
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const deepest = 50

/**
 * Parses an XML document: elements, attributes, text. A document type is rejected: it would allow entity expansion to
 * gigabytes, and external files.
 * @throws FileFault
 */
export function readXml(document: string): XmlElement {
  const text = document.replace(/^\uFEFF/, '')
  // Lines are counted incrementally: counting from the start each time would be quadratic.
  let line = 1
  let counted = 0
  const lineAt = (at: number) => {
    for (let next = text.indexOf('\n', counted); next >= 0 && next < at; next = text.indexOf('\n', counted)) {
      line += 1
      counted = next + 1
    }
    return line
  }
  type Open = XmlElement & { children: (XmlElement | string)[] }
  const root: Open = { name: '', attributes: new Map(), children: [], line: 1 }
  const open: Open[] = [root]
  let at = 0
  const skipTo = (end: string) => {
    const next = text.indexOf(end, at)
    if (next < 0) throw new FileFault(lineAt(at), `"${end}" is missing.`)
    at = next + end.length
  }
  while (at < text.length) {
    const current = open.at(-1) ?? root
    if (text[at] !== '<') {
      const next = text.indexOf('<', at)
      const end = next < 0 ? text.length : next
      const said = decoded(text.slice(at, end), () => lineAt(at))
      if (open.length > 1) current.children.push(said)
      else if (said.trim() !== '') throw new FileFault(lineAt(at), 'Text outside of the root element.')
      at = end
    } else if (text.startsWith('<!--', at)) skipTo('-->')
    else if (text.startsWith('<![CDATA[', at)) {
      const from = at + 9
      skipTo(']]>')
      current.children.push(text.slice(from, at - 3))
    } else if (text.startsWith('<?', at)) skipTo('?>')
    else if (text.startsWith('<!', at)) throw new FileFault(lineAt(at), 'A document type is not allowed.')
    else if (text.startsWith('</', at)) {
      closeTag.lastIndex = at
      const [whole = '', name] = closeTag.exec(text) ?? []
      if (name === undefined || open.length < 2 || name !== current.name)
        throw new FileFault(lineAt(at), `The end of <${current.name}> is missing.`)
      open.pop()
      at += whole.length
    } else {
      openTag.lastIndex = at
      const [whole = '', , name, rest = '', ended] = openTag.exec(text) ?? []
      if (name === undefined) throw new FileFault(lineAt(at), 'Invalid tag.')
      const place = lineAt(at)
      const attributes = new Map(
        [...rest.matchAll(attribute)].map(([, key = '', double, single]): [string, string] => [
          key,
          decoded(double ?? single ?? '', () => place),
        ]),
      )
      const element: Open = { name, attributes, children: [], line: place }
      current.children.push(element)
      if (!ended) open.push(element)
      if (open.length > deepest) throw new FileFault(place, 'The elements are nested too deeply.')
      at += whole.length
    }
  }
  if (open.length > 1) throw new FileFault(lineAt(text.length), `The end of <${open.at(-1)?.name}> is missing.`)
  const [first] = root.children.filter((child) => typeof child !== 'string')
  if (!first) throw new FileFault(1, 'The root element is missing.')
  return first
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(text: string, line: () => number): string {
  if (!text.includes('&')) return text.replaceAll('\r\n', '\n')
  return text.replaceAll('\r\n', '\n').replace(/&([^;&\s]{0,12};?)/g, (_, reference: string) => {
    const [, hex, decimal, name] = /^(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]+));$/i.exec(reference) ?? []
    const number = hex ? Number.parseInt(hex, 16) : Number(decimal)
    const character = name ? named[name] : number > 0 && number <= 0x10ffff ? String.fromCodePoint(number) : undefined
    if (character === undefined) throw new FileFault(line(), `Unknown reference &${reference}.`)
    return character
  })
}

/** Characters that XML cannot contain in any encoding. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches them intentionally.
export const noXmlCharacter = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

export function xmlText(text: string): string {
  // A bare carriage return would be parsed as a line break.
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
}

export const elementsOf = ({ children }: XmlElement, name?: string): readonly XmlElement[] =>
  children.filter((child) => typeof child !== 'string').filter((child) => name === undefined || child.name === name)
