/**
 * Returns the line of each literal member in a configuration file: `coupons[2].amount` → 41. Members created by code
 * have the line of the place where they are inserted.
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
    // An element begins with any token, a member with its name.
    if (top?.kind === '[' && top.waiting && /\S/.test(word) && !/^(\/[/*]|[\],])/.test(word)) {
      top.waiting = false
      // After a spread the indexes of elements are unknown.
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

/** Returns the line of a member, or of its nearest ancestor with one. */
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
  /** Null: unknown parent. */
  path: string | null
  member: string
  index: number
  /** True if the next token begins a member or an element. */
  waiting: boolean
}

/**
 * Comments, strings, member names, brackets, commas, spreads and line ends; everything else is skipped word by word.
 */
const tokens =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<key>[\w$]+|'[^'\n]*'|"[^"\n]*")(?=\s*[:,}])|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\.\.\.|[{}[\](),]|\n|[\w$]+|[^\s]/g

/** Returns the path within a container. An object without a parent is a root. */
function inner(container: Container | undefined): string | null {
  if (container === undefined || container.kind === '(') return ''
  const { kind, path, member, index } = container
  if (path === null) return null
  if (kind === '[') return `${path}[${index}]`
  return path === '' ? member : `${path}.${member}`
}
