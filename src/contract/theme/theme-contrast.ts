import { type Colour, contrastOf, parseColour } from './css-colour.ts'
import type { ThemeSettings } from './settings.ts'
import { type TokenName, themeTokens } from './theme-tokens.ts'

export type Scheme = 'light' | 'dark'

type Tokens = Pick<ThemeSettings, 'tokens' | 'light' | 'dark'>

/** Pairs of foreground and background with their minimum contrast: 4.5 for text, 3 for controls (WCAG 2.2 AA). */
const pairs: readonly { front: TokenName; ground: TokenName; least: number }[] = [
  ...(['--ink', '--ink-soft', '--accent', '--accent-hover', '--sale', '--bad', '--good'] as const).flatMap((front) =>
    (['--ground', '--surface'] as const).map((ground) => ({ front, ground, least: 4.5 })),
  ),
  { front: '--on-accent', ground: '--accent', least: 4.5 },
  { front: '--on-accent', ground: '--accent-hover', least: 4.5 },
  { front: '--line-strong', ground: '--ground', least: 3 },
  { front: '--focus', ground: '--ground', least: 3 },
]

/** Returns the value of a token in a scheme: the merchant's, else the theme's own, with its references resolved. */
export function tokenValue(theme: Tokens, name: TokenName, scheme: Scheme, depth = 0): string {
  const own: { readonly kind: string; readonly light?: string; readonly dark?: string } = themeTokens[name]
  const value = theme[scheme][name] ?? theme.tokens[name] ?? own[scheme] ?? ''
  return value.replace(/var\((--[\w-]+)\)/g, (whole, other: string) =>
    depth < 5 && Object.hasOwn(themeTokens, other) ? tokenValue(theme, other as TokenName, scheme, depth + 1) : whole,
  )
}

/** Returns a warning for each pair that a merchant's colour makes unreadable. */
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
