/** The names that an expression can use: `data`, and the variables of the loops around it. */
export type Scope = Readonly<Record<string, unknown>>
export type Expression = (scope: Scope) => unknown

/**
 * Parses an expression of a template: property access, strings, numbers, comparisons, conditions and sums. It calls and
 * assigns nothing, and reads own properties only.
 * @param names the names that it may start with
 * @returns null for any other syntax
 */
export function parseExpression(text: string, names: readonly string[]): Expression | null {
  const tokens = tokensOf(text)
  if (!tokens) return null
  const reader = { tokens, at: 0, names }
  const expression = readChoice(reader)
  return expression && reader.at === tokens.length ? expression : null
}

type Reader = { readonly tokens: readonly string[]; at: number; readonly names: readonly string[] }

const token =
  /\s+|(\d+(?:\.\d+)?|[A-Za-z_$][\w$]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[=!]==?|[<>]=?|&&|\|\||[-+*/%!?:.()[\]])/y

function tokensOf(text: string): string[] | null {
  const tokens: string[] = []
  for (token.lastIndex = 0; token.lastIndex < text.length; ) {
    const match = token.exec(text)
    if (!match) return null
    if (match[1] !== undefined) tokens.push(match[1])
  }
  return tokens
}

const next = (reader: Reader): string | undefined => reader.tokens[reader.at]

function take(reader: Reader, wanted: string): boolean {
  if (next(reader) !== wanted) return false
  reader.at += 1
  return true
}

function readChoice(reader: Reader): Expression | null {
  const condition = readBinary(reader, 0)
  if (!condition || !take(reader, '?')) return condition
  const first = readChoice(reader)
  const second = first && take(reader, ':') ? readChoice(reader) : null
  return first && second && ((scope) => (condition(scope) ? first(scope) : second(scope)))
}

type Operator = (left: () => unknown, right: () => unknown) => unknown

// biome-ignore lint/suspicious/noDoubleEquals: the template's own operator.
const looselyEqual: Operator = (left, right) => left() == right()
// Proof of the casts: JavaScript converts the operands of these operators to numbers or strings itself.
const asNumbers =
  (work: (left: number, right: number) => unknown): Operator =>
  (left, right) =>
    work(left() as number, right() as number)

/** Operators by precedence, lowest first. */
const operators: readonly Readonly<Record<string, Operator>>[] = [
  { '||': (left, right) => left() || right() },
  { '&&': (left, right) => left() && right() },
  {
    '===': (left, right) => left() === right(),
    '!==': (left, right) => left() !== right(),
    '==': looselyEqual,
    '!=': (left, right) => !looselyEqual(left, right),
  },
  {
    '<': asNumbers((left, right) => left < right),
    '>': asNumbers((left, right) => left > right),
    '<=': asNumbers((left, right) => left <= right),
    '>=': asNumbers((left, right) => left >= right),
  },
  { '+': asNumbers((left, right) => left + right), '-': asNumbers((left, right) => left - right) },
  {
    '*': asNumbers((left, right) => left * right),
    '/': asNumbers((left, right) => left / right),
    '%': asNumbers((left, right) => left % right),
  },
]

function readBinary(reader: Reader, level: number): Expression | null {
  const signs = operators[level]
  if (!signs) return readUnary(reader)
  let left = readBinary(reader, level + 1)
  for (;;) {
    const sign = next(reader)
    const operator = sign !== undefined && Object.hasOwn(signs, sign) ? signs[sign] : undefined
    if (!left || !operator) return left
    reader.at += 1
    const before = left
    const right = readBinary(reader, level + 1)
    left =
      right &&
      ((scope) =>
        operator(
          () => before(scope),
          () => right(scope),
        ))
  }
}

function readUnary(reader: Reader): Expression | null {
  for (const [sign, work] of unary) {
    if (!take(reader, sign)) continue
    const value = readUnary(reader)
    return value && ((scope) => work(value(scope)))
  }
  return readMember(reader)
}

const unary: readonly (readonly [sign: string, work: (value: unknown) => unknown])[] = [
  ['!', (value) => !value],
  ['-', (value) => -Number(value)],
  ['typeof', (value) => typeof value],
]

function readMember(reader: Reader): Expression | null {
  let value = readStart(reader)
  while (value) {
    const of = value
    if (take(reader, '.')) {
      const name = next(reader) ?? ''
      if (!/^[A-Za-z_$]/.test(name)) return null
      reader.at += 1
      value = (scope) => ownValue(of(scope), name)
    } else if (take(reader, '[')) {
      const key = readChoice(reader)
      if (!key || !take(reader, ']')) return null
      value = (scope) => ownValue(of(scope), String(key(scope)))
    } else {
      return value
    }
  }
  return null
}

function readStart(reader: Reader): Expression | null {
  if (take(reader, '(')) {
    const inside = readChoice(reader)
    return inside && take(reader, ')') ? inside : null
  }
  const text = next(reader) ?? ''
  reader.at += 1
  if (reader.names.includes(text)) return (scope) => scope[text]
  if (Object.hasOwn(constants, text)) return () => constants[text]
  if (/^\d/.test(text)) return () => Number(text)
  if (/^["']/.test(text)) return () => text.slice(1, -1).replace(/\\(.)/g, '$1')
  return null
}

const constants: Readonly<Record<string, unknown>> = { true: true, false: false, null: null, undefined }

function ownValue(of: unknown, key: string): unknown {
  return of !== null && of !== undefined && Object.hasOwn(Object(of), key) ? Reflect.get(Object(of), key) : undefined
}
