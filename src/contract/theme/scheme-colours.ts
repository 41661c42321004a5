import { type Colour, parseColour } from './css-colour.ts'
import { themeTokens } from './theme-tokens.ts'

/** The merchant's tokens by name; for both schemes, and for one. */
export type SetTokens = {
  readonly tokens?: Readonly<Record<string, string>>
  readonly light?: Readonly<Record<string, string>>
  readonly dark?: Readonly<Record<string, string>>
}

const names = ['--ground', '--surface', '--ink', '--ink-soft', '--accent', '--line'] as const
type Name = (typeof names)[number]

/** The colours of a scheme as `#rrggbb`, where no stylesheet applies: images, and the browser's own frame. */
export type SchemeColours = Readonly<Record<Name, string>>

/** Cached per settings object: every page calls it. */
export function schemeColours(set: SetTokens, scheme: 'light' | 'dark'): SchemeColours {
  const before = known.get(set) ?? new Map()
  known.set(set, before)
  const colours = before.get(scheme) ?? coloursOf(set, scheme)
  before.set(scheme, colours)
  return colours
}

const known = new WeakMap<SetTokens, Map<string, SchemeColours>>()

function coloursOf(set: SetTokens, scheme: 'light' | 'dark'): SchemeColours {
  const colours = names.map((name): [Name, string] => {
    const own: { light: string; dark?: string } = themeTokens[name]
    const shipped = (scheme === 'dark' ? own.dark : undefined) ?? own.light
    const wanted = set[scheme]?.[name] ?? set.tokens?.[name]
    const colour = (wanted === undefined ? null : parseColour(wanted)) ?? parseColour(shipped)
    return [name, colour ? hexadecimalOf(colour) : '#808080']
  })
  // The names are those of the type, each once.
  return Object.fromEntries(colours) as SchemeColours
}

/** Treats a translucent colour as opaque. */
export function hexadecimalOf({ light }: Colour): string {
  return `#${light
    .map((part) =>
      Math.round(encoded(part) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** Encodes linear light (sRGB). */
const encoded = (part: number) => (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055)
