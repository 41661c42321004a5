import { z } from 'zod'
import { namedFile, signEndings } from '../shared/file-setting.ts'
import { nearest } from '../shared/suggest-word.ts'
import { headerSettings } from './header-settings.ts'
import { type TokenName, themeTokens } from './theme-tokens.ts'
import { type TokenKind, tokenFault } from './token-values.ts'

/** Values of custom properties by name, as in the token stylesheet. */
export type TokenValues = Partial<Readonly<Record<TokenName, string>>>

const tokenNames = Object.keys(themeTokens)

/** Validated by member, so that an error names the token. */
const tokenValues: z.ZodType<TokenValues, TokenValues> = z
  .record(z.string(), z.string('must be a string'))
  .superRefine((values, { addIssue }) => {
    for (const [name, value] of Object.entries(values)) {
      const message = nameFault(name) ?? tokenFault(themeTokens[name as TokenName].kind, withoutReferences(value))
      if (message !== null) addIssue({ code: 'custom', message, path: [name], input: value })
    }
  })

function nameFault(name: string): string | null {
  if (Object.hasOwn(themeTokens, name)) return null
  const meant = nearest(name, tokenNames)
  return meant === null
    ? 'is not a token: see styles/tokens.css'
    : `is not a token: did you mean ${[meant, ...tokenNames.filter((other) => other !== meant && other.startsWith(`${meant}-`))].slice(0, 3).join(' or ')}?`
}

/** Replaces each referenced token by a sample value of its kind. */
function withoutReferences(value: string): string {
  return value.replace(/var\((--[\w-]+)\)/g, (whole, name: string) => {
    if (!Object.hasOwn(themeTokens, name)) return whole
    const token: { readonly kind: TokenKind; readonly light?: string } = themeTokens[name as TokenName]
    return token.light === undefined ? examples[token.kind] : withoutReferences(token.light)
  })
}

const examples: Readonly<Record<TokenKind, string>> = {
  colour: '#000',
  length: '1px',
  fonts: 'serif',
  shadow: 'none',
  time: '1ms',
  number: '1',
}

const family = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,60}$/u, 'must be a name of letters, digits and spaces')

const fontFace = z.strictObject({
  family,
  file: namedFile(['woff2']),
  weight: z
    .string()
    .regex(/^[1-9]\d{0,2}(?: [1-9]\d{0,2})?$/, "must be a weight like '400', or two of a variable font: '300 700'")
    .default('400'),
  style: z.enum(['normal', 'italic']).default('normal'),
})

/** The merchant's theme settings. */
export const themeSettings = z.object({
  header: headerSettings.prefault({}),
  tokens: tokenValues.default({}).describe('custom properties of the theme, for both colour schemes'),
  light: tokenValues.default({}).describe('overrides for the light colour scheme'),
  dark: tokenValues.default({}).describe('overrides for the dark colour scheme'),
  fonts: z.array(fontFace).max(12).default([]).describe('your own fonts, to use in --serif and --sans'),
  logo: z
    .strictObject({
      file: namedFile(signEndings),
      darkFile: namedFile(signEndings).optional().describe('for the dark colour scheme'),
      alt: z.string().trim().max(100).default('').describe("default: the shop's name"),
      height: z.number().int().min(16).max(120).default(36).describe('in CSS pixels; the width follows'),
    })
    .nullable()
    .default(null),
  icon: namedFile(['svg', 'png']).nullable().default(null).describe('icon of tabs and bookmarks'),
})

export type ThemeSettings = z.output<typeof themeSettings>
