import { type Expression, parseExpression, type Scope } from './template-expression.ts'

/**
 * Compiles a template of the platform: `{{{ }}}` prints markup, `{{ }}` text, and `<# #>` holds a condition or a loop.
 * The platform's own compiler evaluates text as a function, which the content security policy blocks.
 * @throws an Error that names unsupported syntax
 */
export function compileTemplate(text: string): (data: unknown) => string {
  const root: Block = { statement: '', parts: [], names: ['data'] }
  const open = [root]
  let at = 0
  for (const match of text.matchAll(/<#([\s\S]+?)#>|\{\{\{([\s\S]+?)\}\}\}|\{\{([^}]+?)\}\}(?!\})/g)) {
    const [whole, statement, markup, escaped] = match
    const block = open.at(-1) ?? root
    const before = text.slice(at, match.index)
    block.parts.push(() => before)
    at = match.index + whole.length
    if (statement !== undefined) takeStatement(open, block, statement.trim())
    else if (markup !== undefined) block.parts.push(printer(block, markup, (printed) => printed))
    else block.parts.push(printer(block, escaped ?? '', escapeText))
  }
  const unclosed = open[1]
  if (unclosed) throw templateError(unclosed.statement)
  const rest = text.slice(at)
  root.parts.push(() => rest)
  return (data) => render(root.parts, { data })
}

type Part = (scope: Scope) => string
type Branch = { readonly holds: Expression; readonly parts: Part[] }
/** The whole template, or a condition or loop in it. */
type Block = {
  readonly statement: string
  /** The names that its expressions can use. */
  readonly names: readonly string[]
  parts: Part[]
  readonly branches?: Branch[]
  readonly isLoop?: boolean
}

const render = (parts: readonly Part[], scope: Scope): string => parts.map((part) => part(scope)).join('')

const templateError = (written: string): Error => new Error(`a template cannot be read without eval: ${written}`)

function expressionIn(block: Block, text: string, statement = text): Expression {
  const expression = parseExpression(text, block.names)
  if (!expression) throw templateError(statement.trim())
  return expression
}

function printer(block: Block, text: string, written: (printed: string) => string): Part {
  const expression = expressionIn(block, text)
  return (scope) => {
    const value = expression(scope)
    return value === null || value === undefined ? '' : written(String(value))
  }
}

const condition = /^if\s*\(([\s\S]+)\)\s*\{$/
const otherCondition = /^\}\s*else\s+if\s*\(([\s\S]+)\)\s*\{$/
const otherwise = /^\}\s*else\s*\{$/
const loop = /^_\.each\(([\s\S]+),\s*function\s*\(\s*(\w+)\s*(?:,\s*(\w+)\s*)?\)\s*\{$/
const loopEnd = /^\}\s*\)\s*;?$/

function takeStatement(open: Block[], block: Block, statement: string): void {
  const [, first] = condition.exec(statement) ?? []
  const [, other] = otherCondition.exec(statement) ?? []
  const repeated = loop.exec(statement)
  if (first !== undefined) openCondition(open, block, statement, first)
  else if (repeated) openLoop(open, block, repeated)
  else if (other !== undefined && block.branches) addBranch(block, expressionIn(block, other, statement))
  else if (otherwise.test(statement) && block.branches) addBranch(block, () => true)
  else if (block.isLoop ? loopEnd.test(statement) : block.branches && statement === '}') open.pop()
  else throw templateError(statement)
}

function openCondition(open: Block[], around: Block, statement: string, first: string): void {
  const branches: Branch[] = []
  const block: Block = { statement, names: around.names, parts: [], branches }
  addBranch(block, expressionIn(around, first, statement))
  around.parts.push((scope) => render(branches.find(({ holds }) => holds(scope))?.parts ?? [], scope))
  open.push(block)
}

function addBranch(block: Block, holds: Expression): void {
  block.parts = []
  block.branches?.push({ holds, parts: block.parts })
}

function openLoop(open: Block[], around: Block, [statement, list = '', item = '', place]: RegExpExecArray): void {
  const names = [...around.names, item, ...(place ? [place] : [])]
  const block: Block = { statement, names, parts: [], isLoop: true }
  const expression = expressionIn(around, list, statement)
  const { parts } = block
  around.parts.push((scope) =>
    entriesOf(expression(scope))
      .map(([key, value]) => render(parts, { ...scope, [item]: value, ...(place ? { [place]: key } : {}) }))
      .join(''),
  )
  open.push(block)
}

function entriesOf(value: unknown): readonly (readonly [key: string | number, value: unknown])[] {
  if (Array.isArray(value)) return [...value.entries()]
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
}

const escapeText = (text: string): string => text.replace(/[&<>"'`]/g, (sign) => signs[sign] ?? sign)
