import { type Colour, contrastOf, parseColour } from './css-colour.ts'
import type { ThemeSettings } from './settings.ts'
import { type TokenName, themeTokens } from './theme-tokens.ts'

export type Scheme = 'light' | 'dark'

type Tokens = Pick<ThemeSettings, 'tokens' | 'light' | 'dark'>

/** What stands on what, and how well it must be told apart: 4.5 for text, 3 for what is operated (WCAG 2.2 AA). */
const pairs: readonly { front: TokenName; ground: TokenName; least: number }[] = [
  ...(['--ink', '--ink-soft', '--accent', '--accent-hover', '--sale', '--bad', '--good'] as const).flatMap((front) =>
    (['--ground', '--surface'] as const).map((ground) => ({ front, ground, least: 4.5 })),
  ),
  { front: '--on-accent', ground: '--accent', least: 4.5 },
  { front: '--on-accent', ground: '--accent-hover', least: 4.5 },
  { front: '--line-strong', ground: '--ground', least: 3 },
  { front: '--focus', ground: '--ground', least: 3 },
]

/** The value of a token in a scheme: the merchant's, else the theme's own, with the tokens that it refers to written out. */
export function tokenValue(theme: Tokens, name: TokenName, scheme: Scheme, depth = 0): string {
  const own: { readonly kind: string; readonly light?: string; readonly dark?: string } = themeTokens[name]
  const value = theme[scheme][name] ?? theme.tokens[name] ?? own[scheme] ?? ''
  return value.replace(/var\((--[\w-]+)\)/g, (whole, other: string) =>
    depth < 5 && Object.hasOwn(themeTokens, other) ? tokenValue(theme, other as TokenName, scheme, depth + 1) : whole,
  )
}

/** What can no longer be read because of a colour that the merchant has set: a sentence for each pair. */
export function contrastWarnings(theme: Tokens): string[] {
  const none: Tokens = { tokens: {}, light: {}, dark: {} }
  return (['light', 'dark'] as const).flatMap((scheme) =>
    pairs.flatMap(({ front, ground, least }) => {
      const ratio = ratioOf(theme, front, ground, scheme)
      if (ratio === null || ratio >= least || ratio === ratioOf(none, front, ground, scheme)) return []
      const shown = Math.floor(ratio * 100) / 100
      return [`theme: ${front} on ${ground} has a contrast of ${shown} in the ${scheme} scheme; it needs ${least}`]
    }),
  )
}

function ratioOf(theme: Tokens, front: TokenName, ground: TokenName, scheme: Scheme): number | null {
  const colour = (name: TokenName): Colour | null => parseColour(tokenValue(theme, name, scheme))
  const [one, other] = [colour(front), colour(ground)]
  return one && other && contrastOf(one, other)
}
