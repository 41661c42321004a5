import { storedAssetOf } from '#contract/shared/file-setting.ts'
import { urls } from '#contract/shared/urls.ts'
import type { ThemeSettings } from '#contract/theme/settings.ts'
import { shortDigest } from '#shop/shared/digest.ts'
import type { Tools } from '#shop/shared/tools.ts'
import { fileAnswer } from '../http/static-files.ts'
import type { Application } from '../operations/startup/application.ts'

/**
 * Returns the stylesheet of the merchant's design tokens and fonts; '' without any. Its rules are in no cascade layer,
 * so they override all layers. Every value was validated when it was set.
 */
export function themeSheet({ theme }: Pick<Tools['settings'], 'theme'>, files: Tools['files']): string {
  const faces = theme.fonts.flatMap(({ family, file, weight, style }) => {
    const font = storedAssetOf(files, file, 'font')
    const source = font && `url("${urls.themeFile(font.hash, 'woff2')}") format("woff2")`
    return source
      ? `@font-face{font-family:"${family}";font-weight:${weight};font-style:${style};font-display:swap;src:${source}}`
      : []
  })
  return [
    ...faces,
    ...rule(theme.tokens),
    ...rule(theme.light).map((inside) => `@media (prefers-color-scheme:light){${inside}}`),
    ...rule(theme.dark).map((inside) => `@media (prefers-color-scheme:dark){${inside}}`),
  ].join('\n')
}

function rule(tokens: ThemeSettings['tokens']): string[] {
  const declarations = Object.entries(tokens).map(([name, value]) => `${name}:${value.trim()}`)
  return declarations.length > 0 ? [`:root{${declarations.join(';')}}`] : []
}

/** Returns the stylesheet's URL, which changes with its content; null for an empty one. */
export function themeSheetUrl(sheet: string): string | null {
  return sheet === '' ? null : urls.themeSheet(shortDigest(sheet))
}

/** The fonts of the shop itself, used for headings and text by default. */
const shipped = { '--serif': 'Petrona', '--sans': 'Figtree' } as const

/**
 * Returns the font files to preload: those of the shop's fonts that are in use, and the merchant's.
 * @param fonts URLs of the shop's own fonts, which contain the family name
 */
export function preloadedFonts(
  fonts: readonly string[],
  { theme }: Pick<Tools['settings'], 'theme'>,
  files: Tools['files'],
): readonly string[] {
  const familyOf = (name: keyof typeof shipped): string => {
    const value = (theme.tokens[name] ?? shipped[name]).trim()
    const [, other] = /^var\((--serif|--sans)\)$/.exec(value) ?? []
    const list =
      other === undefined || other === name ? value : (theme.tokens[other as '--sans'] ?? shipped[other as '--sans'])
    return (list.split(',')[0] ?? '').trim().replace(/^["']|["']$/g, '')
  }
  const families = [...new Set([familyOf('--serif'), familyOf('--sans')])]
  return families.flatMap((family) => {
    const own = theme.fonts.find((font) => font.family === family && font.style === 'normal')
    const kept = storedAssetOf(files, own?.file, 'font')
    if (kept) return urls.themeFile(kept.hash, 'woff2')
    return fonts.filter((address) => address.toLowerCase().includes(`/${family.toLowerCase()}-`))
  })
}

/** Answers with the merchant's stylesheet. */
export async function themeSheetAnswer({ tools }: Application, digest: string): Promise<Response> {
  const sheet = themeSheet(tools.settings, tools.files)
  // An older page, or one of a process with a newer theme, is better served with this version than with none.
  const isThis = shortDigest(sheet) === digest
  return new Response(sheet, {
    headers: {
      'Content-Type': 'text/css; charset=UTF-8',
      'Cache-Control': isThis ? 'public, max-age=31536000, immutable' : 'no-store',
    },
  })
}

/** Answers with a logo, icon or font of the merchant's files. */
export function themeFileAnswer(app: Application, request: Request, name: string): Promise<Response> {
  return fileAnswer(app, request, `${app.mediaFolder}/${name}`, 'public, max-age=31536000, immutable')
}
