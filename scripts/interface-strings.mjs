// Lists every English text of the shop's own that can be translated: what stands in `t('…')`, `n(count, '…', '…')` and
// `message('…')` anywhere in the source. Run it to see them; `tests/architecture/interface-words.test.ts` compares them with the files in
// `translations/`.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'

const root = join(import.meta.dirname, '..')
const isTest = /\.test\.tsx?$|fixtures?[^/]*\.tsx?$|\/fake-[^/]+\.ts$/

/** Tables of the browser as well: a call around each text would be bytes for every visitor. Their labels are originals. */
const tables = new Set(['src/domain/addresses/address-fields.ts', 'src/domain/addresses/country-rules.ts'])
const labels = new Set(['label', 'placeholder'])

/**
 * @returns {{ texts: Map<string, string[]>, counts: Map<string, string[]> }} originals and the files in which they stand;
 *   those of a count by their form for many
 */
export function interfaceStrings() {
  const texts = new Map()
  const counts = new Map()
  for (const file of globSync('src/**/*.{ts,tsx}', { cwd: root }).sort()) {
    if (isTest.test(file)) continue
    const code = readFileSync(join(root, file), 'utf8')
    if (!tables.has(file) && !/\b(?:t|n|message)\(/.test(code)) continue
    walk(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
      if (tables.has(file) && node.type === 'Property' && labels.has(node.key.name))
        keep(texts, literals(node.value), file)
      if (node.type !== 'CallExpression') return
      const { callee } = node
      const name =
        callee.type === 'Identifier' ? callee.name : callee.type === 'MemberExpression' ? callee.property.name : ''
      if (name === 't' || name === 'message') keep(texts, literals(node.arguments[0]), file)
      if (name === 'n') keep(counts, literals(node.arguments[2]), file)
    })
  }
  return { texts, counts }
}

function keep(found, originals, file) {
  for (const original of originals) {
    const files = found.get(original) ?? []
    if (!files.includes(file)) files.push(file)
    found.set(original, files)
  }
}

/** The texts that an expression may be, as far as it says them itself. */
function literals(node) {
  if (!node) return []
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'TemplateLiteral') return node.expressions.length === 0 ? [node.quasis[0].value.cooked] : []
  if (node.type === 'ConditionalExpression') return [...literals(node.consequent), ...literals(node.alternate)]
  if (node.type === 'LogicalExpression') return [...literals(node.left), ...literals(node.right)]
  return node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' ? literals(node.expression) : []
}

function walk(node, visit) {
  if (Array.isArray(node)) for (const one of node) walk(one, visit)
  else if (node && typeof node === 'object' && typeof node.type === 'string') {
    visit(node)
    for (const key in node) if (key !== 'type') walk(node[key], visit)
  }
}

if (process.argv[1] === import.meta.filename) {
  const { texts, counts } = interfaceStrings()
  for (const [original, files] of texts) console.log(`${JSON.stringify(original)}  ${files.join(' ')}`)
  for (const [original, files] of counts) console.log(`${JSON.stringify(original)} (a count)  ${files.join(' ')}`)
}
