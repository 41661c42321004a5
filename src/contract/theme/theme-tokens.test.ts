import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tokenKind } from './token-values.ts'

const sheet = readFileSync(join(import.meta.dirname, '../../web/styles/base/tokens.css'), 'utf8').replace(
  /\/\*.*?\*\//gs,
  '',
)

/** Returns the declarations of the first `:root` after `from` in the stylesheet. */
function declared(from: RegExp): Map<string, string> {
  const part = sheet.slice(from.exec(sheet)?.index ?? sheet.length)
  const [, block = ''] = /:root\s*\{(.*?)\}/s.exec(part) ?? []
  return new Map(
    [...block.matchAll(/(--[\w-]+)\s*:\s*([^;]+);/g)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\s+/g, ' ').trim(),
    ]),
  )
}

it('the table of tokens says what tokens.css says; `vitest run theme-tokens -u` writes it anew', async () => {
  const light = declared(/:root/)
  const dark = declared(/@media \(prefers-color-scheme: dark\)/)
  const resolved = (value: string): string =>
    value.replace(/var\((--[\w-]+)\)/g, (_, name: string) => resolved(light.get(name) ?? ''))
  const lines = [...light].map(([name, value]) => {
    const kind = tokenKind(resolved(value))
    if (!kind) throw new Error(`${name}: ${value} is of no kind that token-values.ts knows`)
    // Sizes change often, and no code depends on them.
    const shown = kind === 'colour' || kind === 'time'
    const other = dark.get(name) ?? value
    return `  '${name}': { kind: '${kind}'${shown ? `, light: '${value}', dark: '${other}'` : ''} },`
  })
  const written = `import type { TokenKind } from './token-values.ts'

/**
 * The declarations of ${'`styles/tokens.css`'}: names and kinds for the settings, and colours for contrast checks. Written
 * by the test beside it.
 */
export const themeTokens = {
${lines.join('\n')}
} as const satisfies Readonly<
  Record<\`--\${string}\`, { readonly kind: TokenKind; readonly light?: string; readonly dark?: string }>
>

export type TokenName = keyof typeof themeTokens
`
  expect(light.size).toBeGreaterThan(20)
  expect([...dark.keys()].filter((name) => !light.has(name))).toEqual([])
  await expect(written).toMatchFileSnapshot(join(import.meta.dirname, 'theme-tokens.ts'))
})
