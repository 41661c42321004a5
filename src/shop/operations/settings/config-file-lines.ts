/**
 * The line of each member of the objects that a configuration file writes out: `coupons[2].amount` → 41. Reads the text
 * as far as literals go; what code puts together has the line of the place where it is put in.
 */
export function memberLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  const open: Container[] = []
  let line = 1
  const record = (path: string | null) => {
    if (path !== null && path !== '' && !lines.has(path)) lines.set(path, line)
  }
  for (const token of text.matchAll(tokens)) {
    const [word] = token
    const top = open.at(-1)
    // An element begins with whatever comes first, a member with its name.
    if (top?.kind === '[' && top.waiting && /\S/.test(word) && !/^(\/[/*]|[\],])/.test(word)) {
      top.waiting = false
      // After a spread nobody knows the number of an element.
      if (word === '...') top.path = null
      record(inner(top))
    }
    if (token.groups?.key !== undefined && top?.kind === '{' && top.waiting) {
      top.member = token.groups.key.replace(/^['"]|['"]$/g, '')
      top.waiting = false
      record(inner(top))
    }
    if (word === '{' || word === '[') open.push({ kind: word, path: inner(top), member: '', index: 0, waiting: true })
    else if (word === '(') open.push({ kind: '(', path: null, member: '', index: 0, waiting: false })
    else if (word === '}' || word === ']' || word === ')') open.pop()
    else if (word === ',' && top) {
      top.index += 1
      top.waiting = top.kind !== '('
    }
    line += word.split('\n').length - 1
  }
  return lines
}

/** The line of a member, or of the nearest thing around it that has one. */
export function lineOf(lines: ReadonlyMap<string, number>, key: string): number | null {
  for (let path = key; path !== ''; path = path.replace(/(\.?[^.[\]]+|\[\d+\])$/, '')) {
    const line = lines.get(path)
    if (line !== undefined) return line
    if (!/(\.?[^.[\]]+|\[\d+\])$/.test(path)) return null
  }
  return null
}

type Container = {
  readonly kind: '{' | '[' | '('
  /** Null: nobody knows what it is a member of. */
  path: string | null
  member: string
  index: number
  /** Whether the next word begins a member or an element. */
  waiting: boolean
}

/** Comments, texts, names of members, brackets, commas, spreads and line ends; all else is passed over word by word. */
const tokens =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<key>[\w$]+|'[^'\n]*'|"[^"\n]*")(?=\s*[:,}])|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\.\.\.|[{}[\](),]|\n|[\w$]+|[^\s]/g

/** What stands inside a container now. An object that is nobody's member is the root of its own. */
function inner(container: Container | undefined): string | null {
  if (container === undefined || container.kind === '(') return ''
  const { kind, path, member, index } = container
  if (path === null) return null
  if (kind === '[') return `${path}[${index}]`
  return path === '' ? member : `${path}.${member}`
}
